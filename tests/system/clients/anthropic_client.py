"""Prints what Anthropic's client made of the server at argv[1]."""
import json
import sys

import anthropic

QUESTION = [{"role": "user", "content": "Once upon a time"}]
SETTINGS = {"model": "tiny", "max_tokens": 16, "extra_body": {"temperature": 0}}


def main():
    client = anthropic.Anthropic(base_url=sys.argv[1], api_key="none", max_retries=0)
    message = client.messages.create(messages=QUESTION, system="You tell stories.", **SETTINGS)
    found = {"message": message.content[0].text,
             "input_tokens": message.usage.input_tokens + (message.usage.cache_read_input_tokens or 0)}
    with client.messages.stream(messages=QUESTION, system="You tell stories.", **SETTINGS) as stream:
        found["stream"] = "".join(stream.text_stream)
        found["stop_reason"] = stream.get_final_message().stop_reason
    found["counted"] = client.messages.count_tokens(messages=QUESTION, system="You tell stories.",
                                                    model="tiny").input_tokens
    try:
        client.messages.create(messages=[], **SETTINGS)
        found["bad"] = "none"
    except anthropic.APIError as error:
        found["bad"] = type(error).__name__
    print(json.dumps(found))


main()
