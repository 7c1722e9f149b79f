//! Templates of the user's own: they see the session, and nothing else.

use super::super::*;
use super::sessions::{full, made_in, session};
use crate::domain::production::TargetPath;
use crate::domain::session::Session;

fn filled(template: &str, session: &Session) -> Result<String, Cannot> {
    let mut existing = Existing::default();
    existing.file(TargetPath::parse("t.md.j2").unwrap(), Some(template.to_owned()));
    Ok(made_in("custom:t.md.j2", None, Some("out.md"), session, &existing)?.remove(0).text)
}

#[test]
fn g27_g44_an_output_of_ones_own_is_made_from_a_template() {
    let template = "# Poster: {{ topic }}\n\n{{ goals | bullets }}\n\n## Risks\n\n{% for risk in risks %}\n* {{ risk.small }}\n{% endfor %}\n\n## Terms\n\n{{ glossary | bullets }}\n";
    let text = filled(template, &full()).unwrap();
    assert_eq!(
        text,
        "# Poster: add rate limiting\n\n- One loud customer starves the others.\n\n## Risks\n\n* clocks may differ\n"
    );
    let windows = filled(&template.replace('\n', "\r\n"), &full()).unwrap();
    assert_eq!(windows, text);
    let missing = made_in("custom:a poster", None, None, &full(), &Existing::default()).unwrap_err();
    assert_eq!(missing, Cannot::NoTemplate { name: "a poster".to_owned() });
    assert!(missing.way_out().contains("custom:docs/memo.md.j2"), "{}", missing.way_out());
    assert!(missing.way_out().contains("an agent"), "{}", missing.way_out());
    // What no template makes can still be planned: somebody else may write it.
    let poster = "custom:a poster".parse().unwrap();
    assert!(!makes(&poster, &Existing::default()));
    let strategy = strategy_for(&poster, None, None, &full());
    assert_eq!(paths(&poster, &strategy, None, &full(), &Existing::default()).unwrap().len(), 1);
}

#[test]
fn a_wrong_template_is_refused_by_its_line() {
    for (template, says) in [
        ("a\n{{ nothing }}\n", "line 2: undefined"),
        ("a\n\n{% for x in %}\n", "line 3"),
        ("{{ topic | shout }}", "line 1: unknown filter"),
        ("{% include 'x' %}", "line 1"),
        ("{% import 'x' as y %}", "line 1"),
        ("{% macro x() %}{% endmacro %}", "line 1"),
        ("a\n{% set x = 1 %}\n", "line 2: `set` is not possible"),
        ("{%- set x %}{% endset %}", "line 1: `set` is not possible"),
        ("{% filter upper %}{% endfilter %}", "line 1: `filter` is not possible"),
        ("{{ topic ~ topic }}", "line 1: joining"),
        ("{{ 'a' * 99999999 }}", "line 1: multiplying"),
        ("{% with a = topic + topic %}{% endwith %}", "line 1: adding"),
        ("{{ range(9) }}", "line 1: unknown function"),
        ("{{ '}}' ~ '' }}", "line 1: joining"),
        ("{# {{ a ~ b }} #}\n{{ x ~ y }}", "joining"),
        // What the engine runs is never taken for the inside of something else.
        ("{# {{ #}{% set x = 1 %}", "line 1: `set` is not possible"),
        ("{# {{ ' #}\n{{ topic ~ topic }}", "line 2: joining"),
        ("{# {% \" #}\n{{ 'a' * 99999999 }}", "line 2: multiplying"),
        ("{{ {'a': {'b': 1}} and 'a' * 99999999 }}", "line 1: multiplying"),
        ("{{ [{'a': {}}, 'a' * 99999999] }}", "line 1: multiplying"),
        ("{% for x in {'}}': {'%}': 1}} %}{% endfor %}{{ topic ~ topic }}", "line 1: joining"),
        ("{{ goals | bullets(\"colour\") }}", "line 1"),
    ] {
        let refused = filled(template, &full()).unwrap_err();
        assert!(matches!(refused, Cannot::Template { .. }), "{template}: {refused}");
        assert!(refused.to_string().contains(says), "{template}: {refused}");
    }
    assert!(filled(&"x".repeat(70_000), &full()).unwrap_err().to_string().contains("70000 bytes"));
    assert!(filled("# {{ '~' }} {{ \"a+b\" }}\n", &full()).is_ok());
}

#[test]
fn a_template_comes_to_an_end() {
    let every = "{% for a in decisions %}".repeat(20);
    let endless = format!("{every}{}", "{% endfor %}".repeat(20));
    let long = session("x", &format!("## Decisions\n\n{}", "- many words\n".repeat(200)));
    let refused = filled(&endless, &long).unwrap_err();
    assert!(refused.to_string().contains("steps"), "{refused}");
    let flood = "{% for a in decisions %}{% for b in decisions %}{% for c in [1, 2, 3] %}{{ a.text }}{{ b.text }}WORDS{% endfor %}{% endfor %}{% endfor %}"
        .replace("WORDS", &"words ".repeat(20));
    assert!(filled(&flood, &long).unwrap_err().to_string().contains("bytes"));
    let deep = format!("{}{}{}", "{% if 1 %}".repeat(4_000), "x", "{% endif %}".repeat(4_000));
    assert!(filled(&deep, &full()).is_err());
}

#[test]
fn what_a_session_says_is_never_a_template() {
    let hostile =
        session("{{ 7 * 7 }} {% raw %}", "## Decisions\n\n- {{ 7 * 7 }} and {% for x in y %} and {# gone #}\n");
    let text = filled("# {{ topic }}\n\n{{ decisions | bullets }}\n", &hostile).unwrap();
    assert_eq!(text, "# {{ 7 * 7 }} {% raw %}\n\n- {{ 7 * 7 }} and {% for x in y %} and {# gone #}\n");
}
