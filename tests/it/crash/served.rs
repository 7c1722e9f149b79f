//! A tool call over MCP, killed before each of its writes.

use super::killed::every_step;
use super::rows::{ROW, Row, START, tried};

tried! {
    EVERY_STEP: every_step, 2;
    p1_mcp: Row {
        before: &[
            START,
            r##"{ echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}'; echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'; printf '%s\n' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"grill_update_checkpoint","arguments":{"markdown":"# Limits\n\n- by client","changeSummary":"how it is counted"}}}'; } >../tmp/call.json"##,
        ],
        line: "exec git-grill mcp <../tmp/call.json",
        says: "\"id\":2",
        ..ROW
    };
}
