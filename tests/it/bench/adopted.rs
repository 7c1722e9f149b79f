//! A world that a test copied goes on with what was granted in it. For git grill a copied clone is a foreign one; a test
//! that puts its world back to an earlier moment writes the records anew for the files that they are now.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Makes every record of grants below `root` one of the clone that it is in.
pub fn adopt(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let path = entry.path();
        if !entry.file_type().is_ok_and(|kind| kind.is_dir()) || path.ends_with("objects") {
            continue;
        }
        if ["grill/granted", "grill/led", "grill/agreed"].iter().any(|folder| path.ends_with(folder)) {
            fs::read_dir(&path).unwrap().flatten().for_each(|record| renew(&record.path()));
        } else {
            adopt(&path);
        }
    }
}

fn renew(record: &Path) {
    let about = fs::metadata(record).unwrap();
    let here = if let Ok(born) = about.created() {
        let born = born.duration_since(UNIX_EPOCH).unwrap();
        format!("{} born {}.{:09}", about.ino(), born.as_secs(), born.subsec_nanos())
    } else {
        let anchor = fs::metadata(record.with_file_name("here")).unwrap();
        format!("{} changed {}.{:09}", anchor.ino(), anchor.ctime(), anchor.ctime_nsec())
    };
    let text = fs::read_to_string(record).unwrap();
    if let Some((first, rest)) = text.split_once('\n') {
        let form: Vec<&str> = first.split(' ').take(3).collect();
        // In place: another file would have another birth.
        fs::write(record, format!("{} {here}\n{rest}", form.join(" "))).unwrap();
    }
}
