
import { spawn } from "node:child_process";

// What one answer of a tool may take.
const MOST_BYTES = 16 * 1024 * 1024;
const NEITHER = "(leave this open)";

// One dialog of pi: the entry's value, `null` where the person leaves it open, `undefined` where they close it.
async function pick(ui, title, choices, required, opts) {
  const entries = choices.map(([, shown]) => shown);
  const chosen = await ui.select(title, required ? entries : [...entries, NEITHER], opts);
  if (chosen === undefined) return undefined;
  const at = entries.indexOf(chosen);
  return at < 0 ? null : choices[at][0];
}

async function tick(ui, title, choices, opts) {
  const ticked = new Set();
  for (;;) {
    const entries = choices.map(([value, shown]) => `[${ticked.has(value) ? "x" : " "}] ${shown}`);
    const chosen = await ui.select(title, [...entries, "That is all"], opts);
    if (chosen === undefined) return undefined;
    const at = entries.indexOf(chosen);
    if (at < 0) return [...ticked];
    const [value] = choices[at];
    if (!ticked.delete(value)) ticked.add(value);
  }
}

// The entries of a field, each with what is shown for it.
function choicesOf(field) {
  if (Array.isArray(field.enum)) return field.enum.map((value, at) => [value, String(field.enumNames?.[at] ?? value)]);
  const titled = field.oneOf ?? field.anyOf;
  return Array.isArray(titled) ? titled.map((one) => [one.const, String(one.title ?? one.const)]) : undefined;
}

async function ask(ui, title, field, required, opts) {
  if (field.type === "array") return tick(ui, title, choicesOf(field.items ?? {}) ?? [], opts);
  const choices = field.type === "boolean" ? [[true, "Yes"], [false, "No"]] : choicesOf(field);
  if (choices) return pick(ui, title, choices, required, opts);
  const text = await ui.input(title, field.default ?? (required ? "" : "Enter leaves it open"), opts);
  // What pi shows as an example is not typed by anybody.
  return text === "" ? null : text;
}

// A form as dialogs, one after the other; closing one of them closes the form, and answers nothing.
async function fillIn(ui, { message, requestedSchema }, opts) {
  const content = {};
  const required = requestedSchema?.required ?? [];
  let before = `${message}\n\n`;
  for (const [name, field] of Object.entries(requestedSchema?.properties ?? {})) {
    const value = await ask(ui, `${before}${field.title ?? name}`, field, required.includes(name), opts);
    if (value === undefined) return { action: "cancel" };
    if (value !== null) content[name] = value;
    before = "";
  }
  return { action: "accept", content };
}

// Calls a tool where a person sits at pi: our MCP server asks in forms, and each becomes pi's own dialogs. An answer that
// was given elsewhere meanwhile takes them from the screen.
function callAsking(name, input, cwd, signal, ui) {
  return new Promise((resolve, reject) => {
    const server = spawn("git-grill", ["mcp"], { cwd, detached: true });
    const open = new Map();
    const decoder = new TextDecoder();
    let rest = "";
    let size = 0;
    let said = "";
    const send = (frame) => server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`);
    const end = (settle) => {
      for (const form of open.values()) form.abort();
      server.stdin.end();
      settle();
    };
    const show = async ({ id, params }) => {
      const form = new AbortController();
      open.set(id, form);
      let result;
      try {
        result = await fillIn(ui, params, { signal: form.signal });
      } catch {
        result = { action: "cancel" };
      }
      if (open.delete(id)) send({ id, result });
    };
    const take = (frame) => {
      if (frame.method === "elicitation/create") return show(frame);
      if (frame.method === "notifications/cancelled") {
        const form = open.get(frame.params?.requestId);
        open.delete(frame.params?.requestId);
        return form?.abort();
      }
      if (frame.method === "ping") return send({ id: frame.id, result: {} });
      if (frame.method) return frame.id === undefined || send({ id: frame.id, error: { code: -32601, message: "not known" } });
      if (frame.error) return end(() => reject(new Error(`git grill: ${frame.error.message}`)));
      if (frame.id === 1) {
        send({ method: "notifications/initialized" });
        return send({ id: 2, method: "tools/call", params: { name, arguments: input ?? {} } });
      }
      const { content, structuredContent, isError } = frame.result ?? {};
      const text = (content ?? []).map((part) => part.text ?? "").join("\n");
      return end(() => (isError ? reject(new Error(text)) : resolve({ text, details: structuredContent ?? {} })));
    };
    server.stdout.on("data", (chunk) => {
      size += chunk.length;
      if (size > MOST_BYTES) return end(() => reject(new Error("git grill said more than can be read")));
      const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
      rest = lines.pop();
      try {
        for (const line of lines.filter((line) => line.trim())) take(JSON.parse(line));
      } catch (error) {
        end(() => reject(new Error(`git grill was not understood: ${error.message}`)));
      }
    });
    server.stderr.on("data", (chunk) => {
      said = (said + chunk).slice(-4096);
    });
    // The server takes back what it asked when its client says so; it ends with its input.
    signal?.addEventListener("abort", () => end(() => reject(new Error("the call was cancelled"))), { once: true });
    server.stdin.on("error", () => {});
    server.on("error", (error) => end(() => reject(new Error(`git grill could not be called: ${error.message}`))));
    server.on("close", (code) => end(() => reject(new Error(`git grill ended with ${code}: ${said.trim()}`))));
    const capabilities = { elicitation: { form: {} } };
    const clientInfo = { name: "pi", version: "1" };
    send({ id: 1, method: "initialize", params: { protocolVersion: "2025-11-25", capabilities, clientInfo } });
  });
}
