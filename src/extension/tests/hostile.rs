use std::io::Read;

use super::*;

struct Endless {
    line: &'static [u8],
    at: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        for byte in buffer.iter_mut() {
            *byte = self.line[self.at];
            self.at = (self.at + 1) % self.line.len();
        }
        Ok(buffer.len())
    }
}

fn hello_and(rest: impl Read + Send + 'static) -> Streams {
    let output = Cursor::new(format!("{HELLO}\n").into_bytes()).chain(rest);
    Streams { output: Box::new(output), ..saying("") }
}

fn greeted(streams: Streams, limits: Limits) -> Driver {
    Driver::greet(streams, &name("demo"), &ctx(), limits).unwrap_or_else(|ended| panic!("{ended}"))
}

/// How going ends for an extension that says `HELLO` and then this.
fn ended(rest: impl Read + Send + 'static, limits: Limits, asker: &mut dyn Asker) -> String {
    greeted(hello_and(rest), limits).run(&go(), asker).unwrap_err().to_string()
}

const NOISE: Endless = Endless { line: b"{\"jsonrpc\":\"2.0\",\"method\":\"noise\"}\n", at: 0 };

#[test]
fn p7_garbage_is_the_end_and_is_shown_harmless() {
    let rows: [(&'static [u8], &str); 6] = [
        (b"Hello, world!\n", "Hello, world!"),
        (b"[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]\n", "[{\"jsonrpc\":\"2.0\",\"method\":\"a\"}]"),
        (b"{\"id\":1,\"result\":{}}\n", "{\"id\":1,\"result\":{}}"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":1}\n", "{\"jsonrpc\":\"2.0\",\"id\":1}"),
        (b"{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"a\"}", "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"a\"}"),
        (b"\x1b[2J\xff\r\n", "␛[2J\u{fffd}"),
    ];
    for (said, shown) in rows {
        let expected = format!("wrote a line that is not a JSON-RPC 2.0 message: {shown}");
        let handshake = Driver::greet(saying(said), &name("demo"), &ctx(), patient()).err().unwrap();
        assert_eq!(handshake.to_string(), expected);
        assert_eq!(ended(said, patient(), &mut Nobody), expected);
    }
    let long = ended(Cursor::new(vec![b'x'; 1000]), patient(), &mut Nobody);
    assert!(long.ends_with("xxx…") && long.len() < 300, "{long}");
}

#[test]
fn p7_silence_ends_at_the_limit() {
    let at_once = Limits { handshake: Duration::ZERO, ..patient() };
    let (output, held) = pipe().unwrap();
    let silent = Streams { output: Box::new(output), ..saying("") };
    let greeting = Driver::greet(silent, &name("demo"), &ctx(), at_once).err().unwrap();
    assert_eq!(greeting.to_string(), "did not answer initialize within 0ns");
    drop(held);
    let (output, held) = pipe().unwrap();
    let at_once = Limits { own_time: Duration::ZERO, ..patient() };
    let expected = "ran longer than 0ns, not counting the time it waited for the user";
    assert_eq!(ended(output, at_once, &mut Nobody), expected);
    drop(held);
}

#[test]
fn p7_one_that_never_reads_takes_too_long_and_holds_nobody_up() {
    let (never_read, input) = pipe().unwrap();
    let (output, held) = pipe().unwrap();
    let streams = Streams { input: Box::new(input), ..hello_and(output) };
    let mut driver = greeted(streams, Limits { own_time: Duration::ZERO, ..patient() });
    // More than a pipe takes.
    let words = vec!["x".repeat(500_000)];
    let stuck = driver.run(&ExtensionAction::Command(name("go"), words), &mut Nobody).unwrap_err();
    assert_eq!(stuck, Ended::TookTooLong { limit: Duration::ZERO });
    assert_eq!(driver.close(), "");
    drop((never_read, held));
}

#[test]
fn p7_one_that_asks_and_never_reads_the_answers_is_ended() {
    let (never_read, input) = pipe().unwrap();
    let asking = Endless { line: b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"anything\"}\n", at: 0 };
    let streams = Streams { input: Box::new(input), ..hello_and(asking) };
    let flood = greeted(streams, patient()).run(&go(), &mut Nobody).unwrap_err();
    assert_eq!(flood.to_string(), "sent more than 256 requests without reading the answers");
    drop(never_read);
}

#[test]
fn p7_a_million_frames_end_at_the_limit() {
    assert_eq!(ended(NOISE, patient(), &mut Nobody), "sent more than 10000 lines");
    assert_eq!(ended(Endless { line: b"\n", at: 0 }, patient(), &mut Nobody), "sent more than 10000 lines");
    let handshake = Streams { output: Box::new(NOISE), ..saying("") };
    let handshake = Driver::greet(handshake, &name("demo"), &ctx(), patient()).err().unwrap();
    assert_eq!(handshake.to_string(), "sent more than 10000 lines");
    let few = Limits { output_bytes: 5_000, ..patient() };
    assert_eq!(ended(NOISE, few, &mut Nobody), "sent more than 5000 bytes");
}

#[test]
fn p7_an_endless_line_ends_at_the_limit() {
    let line = || Endless { line: b"x", at: 0 };
    assert_eq!(ended(line(), patient(), &mut Nobody), "sent more than 1048576 bytes in one line");
    let handshake = Streams { output: Box::new(line()), ..saying("") };
    let handshake = Driver::greet(handshake, &name("demo"), &ctx(), patient()).err().unwrap();
    assert_eq!(handshake.to_string(), "sent more than 1048576 bytes in one line");
}

#[test]
fn p7_calls_of_the_ui_end_at_the_limit() {
    let line = b"{\"jsonrpc\":\"2.0\",\"method\":\"ui.notify\",\"params\":{\"message\":\"Look.\"}}\n";
    let few = Limits { ui_calls: 3, ..patient() };
    let mut asker = Answers::of([Answered::Shown, Answered::Shown, Answered::Shown].map(Given::Now));
    assert_eq!(ended(Endless { line, at: 0 }, few, &mut asker), "sent more than 3 UI calls");
    assert_eq!(asker.shown.len(), 3);
}

#[test]
fn p7_arguments_that_do_not_fit_are_not_sent() {
    let mut driver = greeted(hello_and(std::io::empty()), Limits { frame_bytes: 2_000, ..patient() });
    let deed = ExtensionAction::Command(name("go"), vec!["x".repeat(2_000)]);
    let told = driver.run(&deed, &mut Nobody).unwrap_err().to_string();
    assert!(told.starts_with("was not called: its arguments have 2"), "{told}");
    assert!(told.ends_with(" bytes, more than the 2000 that fit"), "{told}");
}

fn a_call_and(rest: impl Read + Send + 'static) -> impl Read + Send + 'static {
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "ui.select", "params": a_select()});
    Cursor::new(format!("{call}\n").into_bytes()).chain(rest)
}

#[test]
fn p7_death_in_a_prompt_closes_it_and_is_told_with_the_last_words() {
    let errors = Cursor::new(b"starting\nTraceback: \x1b[31mno\n".to_vec());
    let streams = Streams { errors: Box::new(errors), ..hello_and(a_call_and(std::io::empty())) };
    let mut driver = greeted(streams, patient());
    let mut asker = Answers::once_settled();
    let left = driver.run(&go(), &mut asker).unwrap_err();
    assert_eq!(left.to_string(), "exited before it answered: Traceback: ␛[31mno");
    assert_eq!(asker.shown.len(), 1);
    assert_eq!(driver.close(), "starting\nTraceback: \u{1b}[31mno\n");
    assert_eq!(ended(std::io::empty(), patient(), &mut Nobody), "exited before it answered");
}

#[test]
fn p7_garbage_and_floods_while_the_user_is_asked_end_it_once_the_prompt_is_closed() {
    let garbage = ended(a_call_and(&b"Hello!\n"[..]), patient(), &mut Answers::once_settled());
    assert_eq!(garbage, "wrote a line that is not a JSON-RPC 2.0 message: Hello!");
    // What is kept is served first: the notices of this flood are nobody's.
    let flood = ended(a_call_and(NOISE), patient(), &mut Answers::once_settled());
    assert_eq!(flood, "sent more than 256 messages while the user was asked");
}

#[test]
fn p7_of_standard_error_the_end_is_kept() {
    let errors = Cursor::new([vec![b'a'; 10_000], b"the end".to_vec()].concat());
    let streams = Streams { errors: Box::new(errors), ..hello_and(std::io::empty()) };
    let driver = greeted(streams, Limits { stderr_bytes: 8, ..patient() });
    assert_eq!(driver.close(), "athe end");
}
