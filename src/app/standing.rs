//! What stands in the working tree, as far as an output has to fit in with it, and what of it stands in the way.

use crate::domain::danger::danger;
use crate::domain::production::{self, TargetPath};
use crate::domain::session::Session;
use crate::domain::settings::Destination;
use crate::output::{self, Existing};

use super::error::AppError;
use super::ports::{TargetFiles, WriteError};

/// How often a generator may want to see more before it is told that this is all.
const MOST_LOOKS: usize = 8;

/// What of the working tree an output has to fit in with.
pub(super) fn look(
    session: &Session,
    files: &dyn TargetFiles,
    destination: &Destination,
    chosen: &[TargetPath],
) -> Result<Existing, AppError> {
    let mut existing = Existing::default();
    for _ in 0..MOST_LOOKS {
        let wants = output::wants(destination, chosen, session, &existing);
        if wants.is_empty() {
            break;
        }
        for folder in wants.folders {
            // A folder that cannot be listed is one that nothing can be learnt from; writing into it will say why.
            let names = files.names(&folder).unwrap_or_default();
            existing.folder(folder, names);
        }
        for path in wants.files {
            let text = match destination {
                Destination::Known(_) => {
                    files.check_links(&path).map_err(|error| in_the_way(destination, error))?;
                    there(files, &path)?
                }
                Destination::Custom(_) => template(files, &path, destination)?,
            };
            existing.file(path, text);
        }
        for path in wants.samples {
            let text = files.read(&path).unwrap_or_default();
            existing.file(path, text);
        }
    }
    Ok(existing)
}

/// What stands at a path now. One that symlinks lead to a file that makes programs run is refused.
pub fn read(files: &dyn TargetFiles, path: &TargetPath) -> Result<Option<String>, AppError> {
    files.check_links(path)?;
    there(files, path)
}

/// [`read`] for a path whose links are checked.
fn there(files: &dyn TargetFiles, path: &TargetPath) -> Result<Option<String>, AppError> {
    files.read(path).map_err(|error| AppError::Environment {
        code: "target_io",
        message: format!("{path} could not be read, so nothing was drafted for it"),
        causes: vec![error.to_string()],
        hint: Some("git grill select design-doc --path <another file>".to_owned()),
    })
}

/// Whether these outputs are refused for a name or a path that goes with them, whatever the session holds. Nobody is
/// offered such a choice: it would be made in vain.
pub fn leads_nowhere(files: Option<&dyn TargetFiles>, outputs: &[Destination], path: Option<&TargetPath>) -> bool {
    let of_path =
        path.is_some_and(|path| danger(path).is_some() || files.is_some_and(|files| files.check_links(path).is_err()));
    let unread = |output: &Destination| match (output, files) {
        (Destination::Custom(name), Some(files)) => {
            TargetPath::parse(name.as_str()).is_ok_and(|template| files.read(&template).is_err())
        }
        (Destination::Known(_) | Destination::Custom(_), _) => false,
    };
    of_path || outputs.iter().any(|output| output::check_name(output).is_err() || unread(output))
}

/// What stands in the way of an output that is being chosen or drafted. Nothing of it is approved, so that the words for
/// an approved file would be wrong.
pub(super) fn in_the_way(destination: &Destination, error: WriteError) -> AppError {
    match error {
        WriteError::Unsafe { .. } => production::Refusal::CannotProduce {
            destination: destination.clone(),
            why: error.to_string(),
            way_out: "mend that, or git grill select <output> --path <another file>".to_owned(),
        }
        .into(),
        WriteError::Changed { .. } | WriteError::Edited { .. } | WriteError::Leads { .. } | WriteError::Io { .. } => {
            error.into()
        }
    }
}

/// The template of a custom output, which is only read.
fn template(files: &dyn TargetFiles, path: &TargetPath, destination: &Destination) -> Result<Option<String>, AppError> {
    files.read(path).map_err(|error| {
        production::Refusal::CannotProduce {
            destination: destination.clone(),
            why: format!("the template {path} was not read: {error}"),
            way_out: "put a text file of this repository in its place; git grill select tries it again".to_owned(),
        }
        .into()
    })
}
