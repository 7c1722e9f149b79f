//! Issues as files with a few lines at the top, edited by hand: what reads is written and reads as the same, and no text
//! can stand for another issue.

use git_grill::domain::ids::SessionId;
use git_grill::domain::issue::{body, marker, marker_of_all, parse, write};
use git_grill::domain::production::IssueSlot;

use super::text;

pub fn run(data: &[u8]) {
    let Some(file) = text(data) else { return };
    let session = SessionId::parse("20261121-auth-k3f9q").expect("an id");
    let mark = marker(&session, 7, IssueSlot::new(1).expect("a number"));
    match parse(file) {
        Err(bad) => {
            // A return that stands alone ends a line as well.
            let ends = file.split(['\n', '\r']).count();
            assert!(bad.line >= 1 && bad.line <= ends + 1 && !bad.why.is_empty(), "{bad}");
        }
        Ok(issue) => {
            let written = write(&issue);
            assert_eq!(parse(&written).unwrap_or_else(|bad| panic!("{bad}: {written}")), issue, "{written}");
            if !file.contains('\r') {
                assert_eq!(parse(&file.replace('\n', "\r\n")).as_ref(), Ok(&issue), "line ends make it another");
            }
            assert!(!issue.title.is_empty() && !issue.title.contains('\n'), "{:?}", issue.title);
            // What is sent bears its own mark once and nobody else's, whatever the text says.
            let sent = body(&issue, &[12, 3], &mark);
            assert_eq!(sent.matches(&marker_of_all(&session, 7)).count(), 1, "{sent}");
        }
    }
}
