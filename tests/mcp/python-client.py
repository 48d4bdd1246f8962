"""An MCP client that shares no code with the server: Python's own. Prints one JSON object of what it saw."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

NOTES = []


async def on_message(params):
    NOTES.append(params.model_dump(mode="json", by_alias=True))


async def main(command, arguments, environment):
    parameters = StdioServerParameters(command=command, args=arguments, env=environment)
    seen = {"calls": []}
    async with stdio_client(parameters) as (read, write):
        async with ClientSession(read, write, logging_callback=on_message) as session:
            initialized = await session.initialize()
            seen["initialize"] = initialized.model_dump(mode="json", by_alias=True, exclude_none=True)
            listed = await session.list_tools()
            seen["tools"] = [tool.name for tool in listed.tools]

            progress = []

            async def on_progress(done, total, message):
                progress.append([done, total, message])

            async def call(name, **given):
                result = await session.call_tool(name, given, progress_callback=on_progress)
                answer = result.model_dump(mode="json", by_alias=True, exclude_none=True)
                for content in answer["content"]:
                    if content["type"] == "image":
                        content["data"] = len(content["data"])
                seen["calls"].append({"name": name, **answer})
                return answer.get("structuredContent", {})

            displays = await call("list_displays")
            display = displays["displays"][0]["id"]
            frame = (await call("look"))["frame_id"]
            point = await call("point_at", frame=frame, x=100, y=100, label="here")
            await call("highlight", display_id=display, rect=[10, 10, 200, 100], spotlight=True)
            await call("annotate", text="a note", at="top")
            await call("guide", text="press it", at="bottom")
            await call("draw_arrow", **{"from": "left", "to": [300, 300]}, frame=frame)
            await call("draw_path", display_id=display, path=[[1, 1], [50, 80]])
            await call("show_steps", steps=[{"point": {"at": "top"}, "wait": {"ms": 20}}])
            await call("move_mark", annotation_id=point["annotation_id"], by=[5, 5])
            await call("locate", query="the Save button")
            await call("wait_for_window", app="nothing", timeout_ms=50)
            await call("point_at", x=1, y=2)
            await call("point_at", frame="f_unknown", x=1, y=2)
            await call("point_at", display_id=9, x=1, y=2)
            await call("no_such_tool")
            await call("point_at", at="top", ttl_ms=50)
            for _ in range(100):
                if NOTES:
                    break
                await asyncio.sleep(0.05)
            await call("clear")
            await call("windows")
            await call("sessions")
            await call("listen", wait_ms=10)
            await call("open", unique="no-such")
            await call("send", window="w9", type="graph.say")
            await call("state", window="w9")
            await call("close", window="w9")
            seen["progress"] = progress
    seen["notes"] = NOTES
    print(json.dumps(seen))


asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])))
