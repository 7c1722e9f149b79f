// Written by git grill: asks `git-grill guard` about every tool call, and lets nothing pass that it refuses.
// While no session of git grill is active in the repository, everything passes.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

// The guard gives itself 2 s; what takes longer than this has failed.
const PATIENCE_MS = 5000;

// Whether a worktree above this folder has the mark of an active session; doubt counts as yes.
function sessionIsActive(folder) {
  try {
    for (let here = resolve(folder); ; here = dirname(here)) {
      const dotGit = join(here, ".git");
      if (existsSync(dotGit)) {
        const gitDir = statSync(dotGit).isDirectory()
          ? dotGit
          : resolve(here, readFileSync(dotGit, "utf8").replace(/^gitdir:\s*/, "").trim());
        if (existsSync(join(gitDir, "GRILL_HEAD"))) return true;
        // Where refs are kept as reftable, the mark stands elsewhere.
        if (existsSync(join(gitDir, "reftable")) && existsSync(join(gitDir, "grill", "active"))) return true;
      }
      if (dirname(here) === here) return false;
    }
  } catch {
    return true;
  }
}

// What becomes of a call: `{ refused }` with the reason, or `{ input }`, changed where it goes into the sandbox.
function askGuard(agent, cwd, tool, input) {
  let failure;
  try {
    const asked = JSON.stringify({ cwd, tool_name: tool, tool_input: input ?? {} });
    const guard = spawnSync("git-grill", ["guard", "--for", agent], {
      cwd,
      input: asked,
      encoding: "utf8",
      timeout: PATIENCE_MS,
      maxBuffer: 64 * 1024 * 1024,
    });
    if (guard.status === 2) return { refused: guard.stderr.trim() || "git grill: refused" };
    if (!guard.error && guard.status === 0) {
      return { input: guard.stdout.trim() ? JSON.parse(guard.stdout).tool_input : input };
    }
    failure = guard.error ? guard.error.message : `it ended with ${guard.status ?? guard.signal}`;
  } catch (error) {
    failure = String(error);
  }
  if (!sessionIsActive(cwd)) return { input };
  return {
    refused: `git grill: its guard is missing or broken, and a session is active: ${failure}`,
  };
}

