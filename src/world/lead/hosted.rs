//! Our MCP server outside of the walls: inside stands a relay that copies bytes, and each that connects gets a server of its
//! own out here. So an agent that sees nothing of the repository has its tools all the same, and no agent gets around them:
//! nothing inside reaches the broker, and `git grill answer` in its shell records nothing.

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, poll};

use crate::world::environment::Environment;
use crate::world::speak;

/// Where the server outside is reached.
pub(in crate::world) const HOST: &str = "GRILL_HOST";
/// So many servers serve one agent at a time, at most.
const MOST: usize = 8;

/// Serves the relays of one run until the other end of `told` is closed.
pub(super) fn host(
    environment: &Environment,
    listener: UnixListener,
    told: UnixStream,
    variables: &[(String, String)],
) -> JoinHandle<()> {
    let (program, cwd) = (environment.program.clone(), environment.cwd.clone());
    let variables = variables.to_vec();
    std::thread::spawn(move || {
        let mut servers: Vec<Child> = Vec::new();
        while let Some(stream) = next(&listener, &told) {
            servers.retain_mut(|server| matches!(server.try_wait(), Ok(None)));
            if servers.len() < MOST {
                // A relay that is hung up on tells its agent that the server is gone.
                servers.extend(serve(&program, &cwd, &variables, stream).ok());
            }
        }
        for mut server in servers {
            let _ = server.kill();
            let _ = server.wait();
        }
    })
}

/// The next that connects; none once the run is over.
fn next(listener: &UnixListener, told: &UnixStream) -> Option<UnixStream> {
    loop {
        let mut waiting = [PollFd::new(told, PollFlags::IN), PollFd::new(listener, PollFlags::IN)];
        match poll(&mut waiting, None) {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return None,
            Ok(_) => {}
        }
        let [over, came] = waiting.map(|one| !one.revents().is_empty());
        if over {
            return None;
        }
        if came && let Ok((stream, _)) = listener.accept() {
            return Some(stream);
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "world spawns; a server is spoken to while it runs")]
fn serve(program: &Path, cwd: &Path, variables: &[(String, String)], stream: UnixStream) -> io::Result<Child> {
    let input: OwnedFd = stream.try_clone()?.into();
    let output: OwnedFd = stream.into();
    let mut server = Command::new(program);
    server.arg("mcp").current_dir(cwd).envs(variables.iter().map(|(name, value)| (name, value)));
    server.stdin(input).stdout(output).stderr(Stdio::null()).spawn()
}

/// `git grill mcp` inside the walls: copies what comes on standard input to the server outside, and its replies back.
pub(in crate::world) fn relay(socket: &Path) -> ExitCode {
    let gone = |error: &io::Error| {
        speak::naming(&format!("error: git grill's tools are not reached: {error}\n"));
        ExitCode::from(128)
    };
    let (inward, outward) = match UnixStream::connect(socket).and_then(|stream| Ok((stream.try_clone()?, stream))) {
        Ok(both) => both,
        Err(error) => return gone(&error),
    };
    // It waits for input for ever, and ends with the process.
    std::thread::spawn(move || {
        // A server that is gone is seen by its replies ending.
        let _ = copy(&mut io::stdin().lock(), &mut &outward);
        let _ = outward.shutdown(Shutdown::Write);
    });
    match copy(&mut &inward, &mut io::stdout().lock()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => gone(&error),
    }
}

fn copy(from: &mut impl Read, to: &mut impl Write) -> io::Result<()> {
    let mut piece = vec![0; 64 * 1024];
    loop {
        match from.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(read) => to.write_all(&piece[..read]).and_then(|()| to.flush())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
