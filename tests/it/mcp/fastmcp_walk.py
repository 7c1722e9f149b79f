"""A walk through the tools with fastmcp's client, which we did not write. Run in a repository with a commit:

    python fastmcp_walk.py MODE forms|unseen

MODE is `legacy` (the protocol with a handshake), `2026-07-28` or `auto`; `forms` gives the client a handler that fills
forms in, `unseen` none. It stops at the first surprise.
"""

import asyncio
import sys

from fastmcp import Client
from fastmcp.client.elicitation import ElicitResult
from fastmcp.client.transports import StdioTransport

ALTERNATIVES = [
    {"label": "file", "value": "In a file", "description": "easy to look at", "recommended": True},
    {"label": "database", "value": "In a database", "description": "one place"},
]
GATE = {
    "readinessRationale": "nothing is left to ask",
    "recommendedOutputs": ["design-doc"],
    "recommendedStrategy": "vertical-slices",
    "question": "What now?",
    "alternatives": [{"label": "the document"}, {"label": "more questions"}],
}
TOOLS = {
    "grill_status", "grill_start", "grill_set_alternatives", "grill_record_answer", "grill_revise_answer",
    "grill_update_checkpoint", "ask_question", "ask_multi_select", "resume_structured", "questionnaire",
    "grill_enter_output_selection_phase", "grill_finish_output_selection_phase", "grill_enter_output_phase", "grill_submit_draft",
    "grill_finish_output_phase", "grill_agent", "grill_set_plan", "grill_step_done", "grill_debate",
}

shown = []
answers = []


async def fill(message, response_type, params, context):
    shown.append(message)
    return ElicitResult(action="accept", content=answers.pop(0))


class Walk:
    def __init__(self, client):
        self.client = client

    async def call(self, tool, kind, /, form=None, **arguments):
        if form is not None:
            answers.append(form)
        result = await self.client.call_tool(tool, arguments, raise_on_error=False)
        value = result.structured_content
        got = value["error"]["code"] if value.get("error") else value["kind"]
        assert got == kind, (tool, kind, value)
        assert result.is_error == bool(value.get("error")), (tool, value)
        assert not answers, f"{tool} showed no form"
        return value

    async def around(self):
        assert {tool.name for tool in await self.client.list_tools()} == TOOLS
        assert [prompt.name for prompt in await self.client.list_prompts()] == ["grill"]
        prompt = await self.client.get_prompt("grill", {"topic": "links"})
        assert "grill_start" in prompt.messages[0].content.text

    async def is_in(self, phase):
        value = await self.call("grill_status", "status")
        assert value["phase"] == phase, value


async def with_forms(walk):
    await walk.call("grill_start", "started", form={"own_words": "where short links live"}, topic="links")
    await walk.call("grill_set_alternatives", "selected", form={"choice": "1. file", "note": "for now"},
                    question="Where does a link live?", alternatives=ALTERNATIVES)
    await walk.call("ask_question", "checkpoint_due", question="Q?", options=[{"label": "a"}, {"label": "b"}])
    await walk.call("grill_update_checkpoint", "updated", markdown="# Links\n\nIn a file.", changeSummary="in a file")
    await walk.is_in("interview")
    await walk.call("ask_multi_select", "selected", form={"choice": ["2. Names"]}, question="What next?",
                    options=[{"label": "Expiry"}, {"label": "Names"}], noChange="n")
    await walk.call("ask_question", "discuss", form={"choice": "3. Let's discuss this"}, question="Who may delete?",
                    options=[{"label": "all"}, {"label": "owners"}], noChange="n")
    await walk.call("resume_structured", "resumed", summary="owners, after a week")
    await walk.call("questionnaire", "selected", form={"q1_own_words": "sqlite", "q2_own_words": "Friday"},
                    questions=[{"id": "db", "prompt": "Which store?"}, {"id": "when", "prompt": "By when?"}],
                    noChange="n")
    await walk.call("grill_enter_output_selection_phase", "continued", form={"choice": "continue"}, **GATE)
    await walk.call("ask_question", "selected", form={"choice": "1. a"}, question="What else?",
                    options=[{"label": "a"}, {"label": "b"}], noChange="n")
    value = await walk.call("grill_enter_output_selection_phase", "producing",
                            form={"choice": "produce", "outputs": ["2. design-doc"]}, **GATE)
    path = value["drafts"][0]["path"]
    await walk.call("grill_enter_output_phase", "producing", outputPlan="the design document")
    await walk.call("grill_submit_draft", "usage", path="../x.md", content="# x")
    await walk.call("grill_submit_draft", "drafted", path=path, content="# Links\n")
    await walk.call("grill_finish_output_phase", "finished")
    await walk.call("ask_question", "selected", form={"choice": "2. b"}, question="And then?",
                    options=[{"label": "a"}, {"label": "b"}], noChange="n")
    await walk.call("grill_enter_output_selection_phase", "wrote", form={"own_words": "stop it"}, **GATE)
    await walk.call("grill_finish_output_selection_phase", "stopped", form={"choice": "yes"},
                    outcome="stop-without-output")
    assert shown[0].startswith("a new interview"), shown[0]


async def unseen(walk):
    await walk.call("grill_start", "waiting", topic="links")
    await walk.call("grill_start", "started", topic="links", confirmed="yes, that")
    asks = {"question": "Where does a link live?", "alternatives": ALTERNATIVES}
    await walk.call("grill_set_alternatives", "unavailable", **asks)
    await walk.call("ask_question", "question_open", question="Q?", options=[{"label": "a"}, {"label": "b"}])
    await walk.call("grill_record_answer", "recorded", answer="in a file, I think")
    await walk.call("grill_update_checkpoint", "updated", markdown="# Links\n\nIn a file.", changeSummary="in a file")
    await walk.call("ask_multi_select", "unavailable", question="What next?",
                    options=[{"label": "Expiry"}, {"label": "Names"}])
    await walk.call("grill_record_answer", "recorded", answer="names")
    await walk.call("resume_structured", "resumed", summary="nothing")
    await walk.call("grill_enter_output_selection_phase", "waiting", **GATE)
    await walk.call("grill_finish_output_selection_phase", "continued", outcome="continue-grilling")
    await walk.call("questionnaire", "unavailable", questions=[{"id": "db", "prompt": "Which store?"}], noChange="n")
    await walk.call("ask_question", "unavailable", question="What else?", noChange="n",
                    options=[{"label": "a"}, {"label": "b"}])
    await walk.call("grill_record_answer", "recorded", answer="a")
    await walk.call("grill_enter_output_selection_phase", "waiting", **GATE)
    await walk.call("grill_enter_output_phase", "approval_required", outputPlan="the design document")
    await walk.call("grill_submit_draft", "wrong_phase", path="docs/design.md", content="# x")
    await walk.call("grill_finish_output_phase", "wrong_phase")
    await walk.call("grill_finish_output_selection_phase", "approval_required", outcome="stop-without-output")
    await walk.is_in("output-selection")


async def main(mode, forms):
    transport = StdioTransport("git", ["grill", "mcp"], keep_alive=False)
    handler = fill if forms == "forms" else None
    async with Client(transport, mode=mode, elicitation_handler=handler) as client:
        walk = Walk(client)
        await walk.around()
        await walk.call("grill_status", "no_session")
        await (with_forms(walk) if forms == "forms" else unseen(walk))
        print(f"{client.protocol_version} {forms}: ok")


asyncio.run(main(*sys.argv[1:]))
