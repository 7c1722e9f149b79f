
// What `/grill` says to the model.
const GRILL = "{grill}";

// The tools that the git-grill of this machine has: none where it is missing.
function ourTools() {
  try {
    const list = spawnSync("git-grill", ["tool", "--list"], {
      encoding: "utf8",
      timeout: PATIENCE_MS,
      maxBuffer: MOST_BYTES,
    });
    const { tools } = list.status === 0 ? JSON.parse(list.stdout) : {};
    return Array.isArray(tools) ? tools : [];
  } catch {
    return [];
  }
}

// Calls a tool, in a process group without a terminal: a prompt of ours must not be drawn over pi.
function callTool(name, input, cwd, signal) {
  return new Promise((resolve, reject) => {
    const call = spawn("git-grill", ["tool", name], { cwd, detached: true });
    const chunks = { stdout: [], stderr: [] };
    let size = 0;
    const end = () => {
      try {
        process.kill(-call.pid, "SIGTERM");
      } catch {
        // It has ended by itself.
      }
    };
    for (const stream of ["stdout", "stderr"]) {
      call[stream].on("data", (chunk) => {
        size += chunk.length;
        if (size > MOST_BYTES) end();
        else chunks[stream].push(chunk);
      });
    }
    signal?.addEventListener("abort", end, { once: true });
    if (signal?.aborted) end();
    call.on("error", (error) => reject(new Error(`git grill could not be called: ${error.message}`)));
    call.on("close", (code, killed) => {
      signal?.removeEventListener("abort", end);
      const said = (stream) => Buffer.concat(chunks[stream]).toString("utf8").trim();
      let value;
      try {
        value = JSON.parse(said("stdout"));
      } catch {
        return reject(new Error(`git grill ended with ${code ?? killed}: ${said("stderr") || "it said nothing"}`));
      }
      if (value.error) {
        const { code: kind, message, hint } = value.error;
        return reject(new Error(`${kind}: ${message}${hint ? ` (next: ${hint})` : ""}`));
      }
      resolve(value);
    });
    // Who ends without reading has said why.
    call.stdin.on("error", () => {});
    call.stdin.end(JSON.stringify(input ?? {}));
  });
}

// All that there is to say about what a call came to: what was done, what is to be noted about it, and what the agent is
// told from now on.
function words(value) {
  const parts = [value.text, ...(Array.isArray(value.remarks) ? value.remarks : []), value.instructions];
  return parts.filter((part) => typeof part === "string").join("\n") || JSON.stringify(value);
}

// An extension of pi.
export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const verdict = askGuard("pi", ctx?.cwd ?? process.cwd(), event.toolName, event.input);
    if (verdict.refused) return { block: true, reason: verdict.refused };
    if (verdict.input && verdict.input !== event.input) Object.assign(event.input, verdict.input);
    return undefined;
  });

  for (const tool of ourTools()) {
    pi.registerTool({
      name: tool.name,
      label: tool.name,
      description: tool.description,
      parameters: tool.inputSchema,
      // They share one session, and the order of what is recorded counts.
      executionMode: "sequential",
      execute: async (_id, input, signal, _onUpdate, ctx) => {
        const cwd = ctx?.cwd ?? process.cwd();
        if (ctx?.hasUI && ctx.ui) {
          const { text, details } = await callAsking(tool.name, input, cwd, signal, ctx.ui);
          return { content: [{ type: "text", text }], details };
        }
        const value = await callTool(tool.name, input, cwd, signal);
        return { content: [{ type: "text", text: words(value) }], details: value };
      },
    });
  }

  let begun = false;
  let ended = () => {};
  pi.on("agent_start", async () => {
    begun = true;
  });
  pi.on("agent_end", async () => ended());

  pi.registerCommand("grill", {
    description: "Be interviewed about a topic before any file changes",
    handler: async (topic, ctx) => {
      const about = topic?.trim() ? `The topic: ${topic.trim()}` : "No topic was given.";
      begun = false;
      const answered = new Promise((resolve) => {
        ended = resolve;
        // Where nothing has begun by then, nothing will; pi has said why.
        setTimeout(() => begun || resolve(), PATIENCE_MS).unref?.();
      });
      pi.sendUserMessage(`${about}\n\n${GRILL}`, { deliverAs: "followUp" });
      // Without anybody at a terminal pi would end before the model has answered.
      if (!ctx?.hasUI) await answered;
    },
  });

  // Everything stands in the system prompt, which is made anew with each prompt; the reminder becomes part of the
  // conversation.
  pi.on("before_agent_start", async (event, ctx) => {
    const cwd = ctx?.cwd ?? process.cwd();
    const text = told("pi", "session-start", cwd);
    if (!text) return undefined;
    const result = {};
    if (event.systemPromptOptions?.sections) event.systemPromptOptions.sections.git_grill = text;
    else result.systemPrompt = `${event.systemPrompt}\n\n${text}`;
    const reminder = told("pi", "prompt", cwd);
    if (reminder) result.message = { customType: "git-grill", content: reminder, display: false };
    return result;
  });
}
