//! Folders that a killed process left, and ledgers that somebody took away while they were written.

use super::*;

#[test]
fn a7_a_folder_whose_first_record_never_came_goes_with_the_next_claim_and_not_before_its_owner() {
    let (_dir, ledgers) = home();
    let held = ledgers.claim(0).unwrap();
    fs::create_dir(held.path().join("media")).unwrap();
    assert_eq!(ledgers.claim(0).unwrap().handle().number(), 2);
    let path = held.path().to_owned();
    drop(held);
    // A program that another test just starts holds the lock for a moment as well.
    assert!(until(LONG, || {
        ledgers.claim(5).unwrap();
        !path.exists()
    }));
    let handle = written(&ledgers, &[launch(200)]);
    ledgers.claim(0).unwrap();
    assert!(read(&ledgers, handle).is_ok());
}

#[test]
fn a25_a_ledger_that_is_removed_cut_or_replaced_takes_nothing_and_is_written_again() {
    let done: [fn(&Path, &Path); 6] = [
        |_, home| fs::remove_dir_all(home.join("grill")).unwrap(),
        |ledger, _| fs::write(ledger, "").unwrap(),
        |ledger, home| {
            fs::rename(ledger, home.join("x")).unwrap();
            fs::create_dir(ledger).unwrap();
        },
        |ledger, home| {
            fs::rename(ledger, home.join("x")).unwrap();
            symlink("/dev/zero", ledger).unwrap();
        },
        |ledger, _| {
            let session = ledger.parent().unwrap();
            fs::rename(session, session.with_file_name("g2")).unwrap();
            symlink("g2", session).unwrap();
        },
        |_, home| {
            fs::rename(home.join("grill/agents"), home.join("x")).unwrap();
            fs::write(home.join("grill/agents"), "").unwrap();
        },
    ];
    for (number, done) in done.into_iter().enumerate() {
        let (dir, ledgers) = home();
        let folder = ledgers.claim(0).unwrap();
        let handle = folder.handle();
        let unwalled = Started { unwalled: true, ..beginning(handle.number()) };
        drop(Writer::begin(folder, at(1), unwalled, OnDisk::Later).unwrap());
        let mut writer = reopened(&ledgers, handle).unwrap();
        obey(&mut writer, &[launch(200)]);
        let before = fs::read(file(&ledgers, handle)).unwrap();
        assert!(writer.stands());
        done(&file(&ledgers, handle), dir.path());
        assert!(!writer.stands(), "{number}");
        let refused = writer.append(at(3), vec![Event::AgentEnded]).unwrap_err();
        assert!(matches!(refused, LedgerError::Gone { .. }), "{refused}");
        // A program that another test just starts holds the lock of the folder for a moment as well.
        let mut writer = writer.written_again().unwrap_or_else(|error| panic!("{number}: {error}"));
        assert_eq!(fs::read(file(&ledgers, handle)).unwrap(), before, "{number}");
        obey(&mut writer, &[open()]);
        drop(writer);
        let again = Ledgers::find(dir.path()).unwrap().unwrap();
        assert_eq!(mode(again.path()), 0o700);
        assert!(read(&again, handle).is_ok(), "{number}");
    }
    // Behind walls it was somebody else, who wanted it gone.
    let (dir, ledgers) = home();
    let handle = written(&ledgers, &[launch(200)]);
    let writer = reopened(&ledgers, handle).unwrap();
    fs::remove_dir_all(dir.path().join("grill")).unwrap();
    assert!(matches!(writer.written_again().unwrap_err(), LedgerError::Gone { .. }));
    assert!(!dir.path().join("grill").exists());
}
