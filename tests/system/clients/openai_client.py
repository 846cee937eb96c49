"""Prints what OpenAI's client made of the server at argv[1]."""
import asyncio
import json
import sys

import openai

BASE = sys.argv[1] + "/v1"
QUESTION = [{"role": "user", "content": "Once upon a time"}]
SETTINGS = {"model": "tiny", "temperature": 0, "max_tokens": 16}


def error_of(call):
    try:
        call()
    except openai.OpenAIError as error:
        return type(error).__name__
    return "none"


async def ask_async():
    client = openai.AsyncOpenAI(base_url=BASE, api_key="sk-test", max_retries=0)
    answer = await client.chat.completions.create(messages=QUESTION, **SETTINGS)
    return answer.choices[0].message.content


def main():
    client = openai.OpenAI(base_url=BASE, api_key="sk-test", max_retries=0)
    stranger = openai.OpenAI(base_url=BASE, api_key="sk-other", max_retries=0)
    found = {"models": [model.id for model in client.models.list()]}
    found["chat"] = client.chat.completions.create(messages=QUESTION, **SETTINGS).choices[0].message.content
    chunks = list(client.chat.completions.create(messages=QUESTION, stream=True,
                                                 stream_options={"include_usage": True}, **SETTINGS))
    found["stream"] = "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)
    found["usage"] = chunks[-1].usage.completion_tokens
    found["async"] = asyncio.run(ask_async())
    found["text"] = client.completions.create(prompt="Once", logprobs=2, **SETTINGS).choices[0].text
    response = client.responses.create(model="tiny", input="Once upon a time", temperature=0, max_output_tokens=16)
    found["response"] = response.output_text
    with client.responses.stream(model="tiny", input="Once upon a time", temperature=0, max_output_tokens=16) as stream:
        found["response_stream"] = "".join(event.delta for event in stream if event.type == "response.output_text.delta")
    client.responses.create(model="tiny", input="And then?", previous_response_id=response.id, max_output_tokens=4)
    vectors = [client.embeddings.create(model="tiny", input="Once", encoding_format=form).data[0].embedding
               for form in ("float", "base64")]
    found["embedding"] = vectors[0][:4]
    if isinstance(vectors[1], str):
        import base64
        import struct
        raw = base64.b64decode(vectors[1])
        vectors[1] = list(struct.unpack(f"<{len(raw) // 4}f", raw))
    found["embedding_base64"] = [struct_round(a, b) for a, b in zip(vectors[0][:4], vectors[1][:4])]
    found["bad_key"] = error_of(lambda: stranger.models.list())
    found["too_long"] = error_of(lambda: client.completions.create(prompt="Once " * 100_000, **SETTINGS))
    print(json.dumps(found))


def struct_round(exact, other):
    """The first if both are the same float."""
    return exact if abs(exact - other) < 1e-6 else other


main()
