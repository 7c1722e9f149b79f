
// A plugin of opencode.
export const GitGrill = async ({ directory }) => ({
  "tool.execute.before": async (call, output) => {
    const verdict = askGuard("opencode", directory ?? process.cwd(), call.tool, output.args);
    if (verdict.refused) throw new Error(verdict.refused);
    if (verdict.input && verdict.input !== output.args) Object.assign(output.args, verdict.input);
  },
  // The system prompt is made anew for each request, so what stands in it is never out of date.
  "experimental.chat.system.transform": async (_, output) => {
    const text = told("opencode", "session-start", directory ?? process.cwd());
    if (text) output.system.push(text);
  },
});
