//! `git grill draft`: shows drafts, and changes them by hand before anybody approves them (G31, G32).

use crate::app::context::{Context, no_working_tree};
use crate::app::drafting::{self, draft_all};
use crate::app::error::AppError;
use crate::app::leaving_out::leave_out;
use crate::app::reply::Reply;
use crate::app::revising::{self, Revised};
use crate::domain::production::{self, Target};
use crate::domain::session::{Phase, Session};
use crate::text::shell::word;

use super::production::in_production;
use super::{args, lower};

pub(super) fn draft(context: &mut Context<'_>, args: &args::Draft) -> Result<Reply, AppError> {
    let targets: Vec<Target> = args.targets.iter().map(|text| text.parse()).collect::<Result<_, _>>()?;
    let session = in_production(context, "drafting")?;
    if args.drop {
        let actor = context.actor.clone();
        return leave_out(context, &actor, &session, &targets).map(redrafted);
    }
    let drafted = draft_all(context, &session)?.shown(context)?.after;
    if !args.edit {
        return show(context, drafted, &targets);
    }
    let target = the_one(&drafted, &targets)?;
    match args.from.as_deref() {
        None => revising::edit(context, &drafted, &target),
        Some(file) => {
            let text = if file == "-" { (context.input)()? } else { context.elsewhere.read(file)? };
            revising::hand_in(context, &drafted, &target, &text)
        }
    }
    .map(redrafted)
}

fn redrafted(revised: Revised) -> Reply {
    Reply::Redrafted { outcome: Box::new(revised.outcome), changes: revised.changes }
}

/// The draft that is meant: the one that is named, or the only one.
fn the_one(session: &Session, named: &[Target]) -> Result<Target, AppError> {
    let Phase::Production(production) = &session.phase else {
        return Err(lower::usage("nothing is drafted", "git grill draft"));
    };
    match (named, production.drafts.as_slice()) {
        ([one], _) => Ok(one.clone()),
        ([], [only]) => Ok(only.draft.target.clone()),
        ([], all) => {
            let targets: Vec<String> = all.iter().map(|drafted| word(&drafted.draft.target.to_string())).collect();
            let hint = format!("git grill draft --edit {}", targets.join(" | "));
            Err(lower::usage(format!("there are {} drafts, and --edit takes one", all.len()), hint))
        }
        (several, _) => {
            let hint = format!("git grill draft --edit {}", word(&several[0].to_string()));
            Err(lower::usage("--edit takes one draft at a time", hint))
        }
    }
}

fn show(context: &Context<'_>, session: Session, named: &[Target]) -> Result<Reply, AppError> {
    let Some(targets) = context.targets else {
        return Err(no_working_tree());
    };
    let wanted = |target: &Target| named.is_empty() || named.contains(target);
    let previews = drafting::previews(&session, targets, wanted)?;
    for target in named {
        if !previews.iter().any(|preview| preview.draft.target == *target) {
            return Err(AppError::from(production::Refusal::NoDraft { target: target.clone() }));
        }
    }
    Ok(Reply::Drafts { previews, session: Box::new(session) })
}
