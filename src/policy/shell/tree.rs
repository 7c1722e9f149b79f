//! A second reading of the same script, by tree-sitter's grammar of bash, which knows nothing of ours. What the two
//! do not read alike is refused: a mistake in one of them is then no way through.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use tree_sitter::{Node, ParseOptions, ParseState, Parser, Tree};

use super::Refused;

/// How often the parser may report progress before it is given up; it reports every hundred steps or so.
const MAX_STEPS: usize = 10_000;
const MAX_TREE_DEPTH: usize = 1_000;

/// The kinds of nodes that a readable script is made of.
const KINDS: &[&str] = &[
    "ansi_c_string",
    "arithmetic_expansion",
    "array",
    "binary_expression",
    "brace_expression",
    "case_item",
    "case_statement",
    "command",
    "command_name",
    "command_substitution",
    "comment",
    "compound_statement",
    "concatenation",
    "declaration_command",
    "do_group",
    "elif_clause",
    "else_clause",
    "expansion",
    "extglob_pattern",
    "file_descriptor",
    "file_redirect",
    "for_statement",
    "heredoc_body",
    "heredoc_content",
    "heredoc_end",
    "heredoc_redirect",
    "heredoc_start",
    "herestring_redirect",
    "if_statement",
    "list",
    "negated_command",
    "number",
    "parenthesized_expression",
    "pipeline",
    "process_substitution",
    "program",
    "raw_string",
    "redirected_statement",
    "regex",
    "simple_expansion",
    "special_variable_name",
    "string",
    "string_content",
    "subscript",
    "subshell",
    "test_command",
    "test_operator",
    "ternary_expression",
    "unary_expression",
    "unset_command",
    "variable_assignment",
    "variable_assignments",
    "variable_name",
    "while_statement",
    "word",
];

/// Refuses unless the grammar knows the whole script and finds commands at exactly these places. It takes the line after
/// a pipeline of three for words of that pipeline, so where it disagrees about the whole it may agree line by line.
pub(super) fn agrees(text: &str, commands: &[usize], breaks: &[usize]) -> Result<(), Refused> {
    let whole = agrees_on(text, commands);
    if whole.is_ok() || breaks.is_empty() {
        return whole;
    }
    let mut start = 0;
    for end in breaks.iter().copied().chain([text.len()]) {
        let inside = |place: &&usize| (start..end).contains(*place);
        let places: Vec<usize> = commands.iter().filter(inside).map(|place| place - start).collect();
        agrees_on(&text[start..end], &places)?;
        start = end;
    }
    Ok(())
}

fn agrees_on(text: &str, commands: &[usize]) -> Result<(), Refused> {
    let tree = parse(text)?;
    let mut found = BTreeSet::new();
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        check(node, text)?;
        if let "command_name" | "test_command" | "declaration_command" | "unset_command" = node.kind() {
            found.insert(node.start_byte());
        }
        // Between backquotes the script is read anew.
        let enter = !(node.kind() == "command_substitution" && text[node.start_byte()..].starts_with('`'));
        if enter && cursor.goto_first_child() {
            depth += 1;
            if depth > MAX_TREE_DEPTH {
                return Err(unreadable(text, "it is nested too deeply"));
            }
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return compare(text, &found, commands);
            }
            depth -= 1;
        }
    }
}

fn parse(text: &str) -> Result<Tree, Refused> {
    let mut parser = Parser::new();
    if parser.set_language(&tree_sitter_bash::LANGUAGE.into()).is_err() {
        return Err(unreadable(text, "the grammar of the shell cannot be loaded"));
    }
    let mut steps = 0_usize;
    let mut patience = |_: &ParseState| {
        steps += 1;
        if steps > MAX_STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let options = ParseOptions::new().progress_callback(&mut patience);
    let bytes = text.as_bytes();
    let tree = parser.parse_with_options(&mut |at, _| bytes.get(at..).unwrap_or_default(), None, Some(options));
    tree.ok_or_else(|| unreadable(text, "it takes too long to read"))
}

fn check(node: Node<'_>, text: &str) -> Result<(), Refused> {
    let part = || text.get(node.byte_range()).unwrap_or(text);
    if node.is_error() || node.is_missing() {
        return Err(unreadable(part(), "this cannot be read as a shell command"));
    }
    if node.is_named() && !KINDS.contains(&node.kind()) {
        return Err(unreadable(part(), &format!("a {} is not known to be read-only", node.kind().replace('_', " "))));
    }
    Ok(())
}

fn compare(text: &str, found: &BTreeSet<usize>, commands: &[usize]) -> Result<(), Refused> {
    let ours: BTreeSet<usize> = commands.iter().copied().collect();
    match found.symmetric_difference(&ours).next() {
        None => Ok(()),
        Some(place) => Err(unreadable(text.get(*place..).unwrap_or(text), "it can be read in more than one way")),
    }
}

fn unreadable(part: &str, why: &str) -> Refused {
    let line = part.trim().lines().next().unwrap_or_default();
    Refused::new(line.chars().take(60).collect::<String>(), why)
}

#[cfg(test)]
mod tests {
    use crate::policy::shell::{Allowed, judge};
    use crate::policy::surroundings::Empty;

    #[test]
    fn a_line_after_a_pipeline_of_three_is_a_line_of_its_own() {
        let judged = |text: &str| judge(text, &Allowed::none(), &Empty).map_err(|refused| refused.part);
        assert_eq!(judged("ls | cat | wc\nls && pwd"), Ok(()));
        assert_eq!(judged("ls | cat | wc\nls && rm x"), Err("rm".to_owned()));
        assert_eq!(judged("ls | cat | wc\nrm x && pwd"), Err("rm".to_owned()));
    }
}
