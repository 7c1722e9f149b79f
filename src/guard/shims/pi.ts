// An extension of pi.
export default function (pi) {
  pi.on("tool_call", async (event, ctx) => {
    const verdict = askGuard("pi", ctx?.cwd ?? process.cwd(), event.toolName, event.input);
    if (verdict.refused) return { block: true, reason: verdict.refused };
    if (verdict.input && verdict.input !== event.input) Object.assign(event.input, verdict.input);
    return undefined;
  });
}
