//! The rows of all subsystems' tools, that of the one which exists in tests among them, hold JSON.

use serde_json::Value;

use crate::domain::subsystem::TOOLS;
use crate::domain::tool::Row;

#[test]
fn p20_the_row_of_every_subsystems_tool_holds_json_that_fits() {
    let rows: Vec<&Row> = TOOLS.iter().flat_map(|rows| rows.iter()).collect();
    for row in &rows {
        let schema: Value = serde_json::from_str(row.schema).expect("a schema is JSON");
        let example: Value = serde_json::from_str(row.example).expect("an example is JSON");
        let input = &schema["inputSchema"];
        assert_eq!(schema["name"].as_str(), Some(row.name));
        assert_eq!(input["additionalProperties"], false, "{}", row.name);
        let example = example.as_object().expect("arguments are an object");
        assert!(example.keys().all(|key| input["properties"].get(key).is_some()), "{}", row.name);
        let required = input["required"].as_array().expect("what is required is listed");
        assert!(required.iter().all(|key| key.as_str().is_some_and(|key| example.contains_key(key))), "{}", row.name);
    }
    assert!(rows.iter().any(|row| row.name == "toy_ring"), "the newcomer's is among them");
}
