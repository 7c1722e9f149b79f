//! Small questions about Rust tokens.

use proc_macro2::{Delimiter, Group, Ident, TokenStream, TokenTree};

/// The name without `r#`.
pub fn plain(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}

pub fn is_punct(token: &TokenTree, expected: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == expected)
}

pub fn is_double_colon(tokens: &[TokenTree], at: usize) -> bool {
    let colon = |at: usize| tokens.get(at).is_some_and(|token| is_punct(token, ':'));
    colon(at) && colon(at + 1)
}

/// Keywords after which `::name` is a path of its own.
pub fn is_keyword(word: &Ident) -> bool {
    const KEYWORDS: &[&str] = &[
        "as", "break", "dyn", "else", "if", "impl", "in", "match", "move", "mut", "ref", "return", "where", "while",
        "for", "let", "const", "static", "await", "unsafe",
    ];
    KEYWORDS.iter().any(|keyword| word == keyword)
}

/// Whether an identifier starts a path, rather than naming a field, a method or an item of a generic type.
pub fn begins_path(tokens: &[TokenTree], at: usize) -> bool {
    let before = |steps: usize, expected: char| at >= steps && is_punct(&tokens[at - steps], expected);
    let is_member = before(1, '.') && !before(2, '.');
    let continues = before(1, ':') && before(2, ':') && before(3, '>');
    !is_member && !continues
}

/// The file of `path = "…"`.
pub fn named_file(attribute: &Group) -> Option<String> {
    let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
    match tokens.as_slice() {
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(file)] if name == "path" => {
            Some(file.to_string().trim_matches('"').to_owned())
        }
        _ => None,
    }
}

/// Whether the attribute is `cfg(test)` or `cfg(all(test, …))`.
pub fn is_cfg_test(attribute: &Group) -> bool {
    if attribute.delimiter() != Delimiter::Bracket {
        return false;
    }
    let text: String = attribute.stream().to_string().split_whitespace().collect();
    text == "cfg(test)" || text.starts_with("cfg(all(test,")
}

/// The tokens of one level, without attributes and without items that are for tests.
pub fn of_the_product(stream: TokenStream) -> Vec<TokenTree> {
    let (mut after_hash, mut in_test) = (false, false);
    let mut kept = Vec::new();
    for token in stream {
        let group = match &token {
            TokenTree::Group(group) => Some(group),
            TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_) => None,
        };
        let in_delimiters = |expected: Delimiter| group.is_some_and(|group| group.delimiter() == expected);
        let is_attribute = after_hash && in_delimiters(Delimiter::Bracket);
        after_hash = is_punct(&token, '#');
        if is_attribute {
            in_test |= group.is_some_and(is_cfg_test);
        } else if in_test {
            // A body is the end of an item, and so is a semicolon.
            in_test = !in_delimiters(Delimiter::Brace) && !is_punct(&token, ';');
        } else {
            kept.push(token);
        }
    }
    kept
}
