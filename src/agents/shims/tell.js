
// What git grill says to the agent at this moment; nothing while no session is active, or when it cannot be asked.
function told(agent, moment, cwd) {
  try {
    const hook = spawnSync("git-grill", ["instructions", "--for", agent, "--hook", moment], {
      cwd,
      input: JSON.stringify({ cwd }),
      encoding: "utf8",
      timeout: PATIENCE_MS,
    });
    // Everything that we say begins with our name; what does not is another program's.
    return hook.status === 0 && /^\[?git grill\b/.test(hook.stdout) ? hook.stdout.trim() : "";
  } catch {
    return "";
  }
}
