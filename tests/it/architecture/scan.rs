//! Reads the references out of one file. It works on the tokens rather than on a syntax tree, so that a path inside a
//! macro call is seen like any other; comments and strings are gone by then.

use proc_macro2::{Group, TokenStream, TokenTree};

use super::manifest::Manifest;
use super::tokens::{begins_path, is_cfg_test, is_double_colon, is_keyword, is_punct, named_file, plain};

/// Where a reference stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Situation {
    Product,
    Test,
}

/// One path that leaves its module: `["crate", "app", "ports"]` or `["git2", "Repository"]`.
#[derive(Debug)]
pub struct Reference {
    /// The path; `super` and `self` are resolved, `git_grill` is written `crate`.
    pub path: Vec<String>,
    /// The line of its last segment: in a group, that of the leaf.
    pub line: usize,
    pub situation: Situation,
}

/// What one file refers to.
#[derive(Default)]
pub struct Scanned {
    pub references: Vec<Reference>,
    /// Every `mod name;`, whose text is another file.
    pub declared: Vec<Declared>,
}

/// A module that is a file of its own.
#[derive(Debug)]
pub struct Declared {
    pub module: Vec<String>,
    /// The file that `#[path = "…"]` names.
    pub file: Option<String>,
    pub situation: Situation,
}

/// What the attributes so far say about the next item.
#[derive(Clone)]
struct Announced {
    situation: Situation,
    file: Option<String>,
}

pub fn scan(text: &str, module: &[String], manifest: &Manifest) -> Scanned {
    let tokens: TokenStream = text.parse().unwrap_or_else(|error| panic!("{} is not Rust: {error}", module.join("::")));
    let mut scanner =
        Scanner { manifest, module: module.to_vec(), situation: Situation::Product, found: Scanned::default() };
    scanner.walk(&tokens.into_iter().collect::<Vec<_>>());
    scanner.found
}

struct Scanner<'a> {
    manifest: &'a Manifest,
    module: Vec<String>,
    situation: Situation,
    found: Scanned,
}

impl Scanner<'_> {
    fn walk(&mut self, tokens: &[TokenTree]) {
        let mut at = 0;
        let nothing = Announced { situation: self.situation, file: None };
        let mut announced = nothing.clone();
        while at < tokens.len() {
            at = match (&tokens[at], tokens.get(at + 1)) {
                (TokenTree::Punct(hash), Some(TokenTree::Group(attribute))) if hash.as_char() == '#' => {
                    if is_cfg_test(attribute) {
                        announced.situation = Situation::Test;
                    }
                    announced.file = named_file(attribute).or(announced.file);
                    self.attribute(attribute);
                    at + 2
                }
                (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "mod" => {
                    let item = std::mem::replace(&mut announced, nothing.clone());
                    let before = std::mem::replace(&mut self.situation, item.situation);
                    self.module.push(plain(name));
                    match tokens.get(at + 2) {
                        Some(TokenTree::Group(body)) => self.walk_group(body),
                        _ => self.found.declared.push(Declared {
                            module: self.module.clone(),
                            file: item.file,
                            situation: item.situation,
                        }),
                    }
                    self.module.pop();
                    self.situation = before;
                    at + 3
                }
                (TokenTree::Ident(word), Some(next)) if word == "use" && !is_punct(next, '<') => {
                    announced = nothing.clone();
                    self.use_tree(&[], tokens, at + 1)
                }
                (TokenTree::Ident(word), Some(TokenTree::Ident(name))) if word == "crate" && name != "as" => {
                    // `extern crate name`
                    self.refer(&[(plain(name), name.span().start().line)]);
                    at + 2
                }
                (TokenTree::Ident(word), _) => {
                    // `pub` and `pub(crate)` may stand between the attribute and its module.
                    if word != "pub" {
                        announced = nothing.clone();
                    }
                    self.inline_path(tokens, at)
                }
                (TokenTree::Group(group), _) => {
                    self.walk_group(group);
                    at + 1
                }
                (TokenTree::Punct(_) | TokenTree::Literal(_), _) => at + 1,
            };
        }
    }

    fn walk_group(&mut self, group: &Group) {
        self.walk(&group.stream().into_iter().collect::<Vec<_>>());
    }

    /// Attributes hold paths as tokens and, as serde's do, in strings.
    fn attribute(&mut self, attribute: &Group) {
        let tokens: Vec<TokenTree> = attribute.stream().into_iter().collect();
        if matches!(tokens.first(), Some(TokenTree::Ident(name)) if name == "doc") {
            return;
        }
        self.walk(&tokens);
        self.strings(&tokens);
    }

    fn strings(&mut self, tokens: &[TokenTree]) {
        for token in tokens {
            match token {
                TokenTree::Group(group) => {
                    self.strings(&group.stream().into_iter().collect::<Vec<_>>());
                }
                TokenTree::Literal(literal) => {
                    let text = literal.to_string();
                    // A path has no blanks; a reason or a help text has.
                    let path = text.trim_matches('"').parse::<TokenStream>();
                    if let (false, Ok(stream)) = (text.contains(' '), path) {
                        self.walk(&stream.into_iter().collect::<Vec<_>>());
                    }
                }
                TokenTree::Ident(_) | TokenTree::Punct(_) => {}
            }
        }
    }

    /// Reads `a::{b, c::d as e, f::*}` from `at` to its end; gives the place after it.
    fn use_tree(&mut self, prefix: &[(String, usize)], tokens: &[TokenTree], mut at: usize) -> usize {
        let mut path = prefix.to_vec();
        let mut groups = 0;
        while let Some(token) = tokens.get(at) {
            at += 1;
            match token {
                TokenTree::Ident(word) if word == "as" => at += 1,
                TokenTree::Ident(word) if word == "self" && !path.is_empty() => {}
                TokenTree::Ident(word) => path.push((plain(word), word.span().start().line)),
                TokenTree::Punct(star) if star.as_char() == '*' => {
                    path.push(("*".to_owned(), star.span().start().line));
                }
                TokenTree::Punct(end) if end.as_char() == ';' || end.as_char() == ',' => break,
                TokenTree::Group(group) => {
                    groups += 1;
                    let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                    let mut from = 0;
                    while from < inner.len() {
                        from = self.use_tree(&path, &inner, from);
                    }
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
        }
        if groups == 0 {
            self.refer(&path);
        }
        at
    }

    /// Reads the path that begins at the identifier `at`, if one does; gives the place after it.
    fn inline_path(&mut self, tokens: &[TokenTree], at: usize) -> usize {
        let mut path = Vec::new();
        let mut end = at;
        while let Some(TokenTree::Ident(word)) = tokens.get(end) {
            if is_keyword(word) {
                break;
            }
            path.push((plain(word), word.span().start().line));
            end += 1;
            if !is_double_colon(tokens, end) {
                break;
            }
            end += 2;
        }
        if path.len() > 1 && begins_path(tokens, at) {
            self.refer(&path);
        }
        end.max(at + 1)
    }

    /// Records the path if it leaves its module: into the crate or out of it.
    fn refer(&mut self, path: &[(String, usize)]) {
        let (Some((first, _)), Some((_, line))) = (path.first(), path.last()) else {
            return;
        };
        let mut module = self.module.clone();
        let mut rest = path.iter().map(|(word, _)| word.clone()).peekable();
        let resolved: Vec<String> = match first.as_str() {
            "crate" | "git_grill" => std::iter::once("crate".to_owned()).chain(rest.skip(1)).collect(),
            "self" | "super" => {
                while let Some(step) = rest.next_if(|word| word == "self" || word == "super") {
                    if step == "super" {
                        module.pop();
                    }
                }
                std::iter::once("crate".to_owned()).chain(module).chain(rest).collect()
            }
            outside if self.manifest.is_outside(outside) => rest.collect(),
            // A name from this very module, or one whose own `use` has been judged.
            _ => return,
        };
        self.found.references.push(Reference { path: resolved, line: *line, situation: self.situation });
    }
}
