"""Prints what Ollama's client made of the server at argv[1]."""
import json
import sys

import ollama

QUESTION = [{"role": "user", "content": "Once upon a time"}]
OPTIONS = {"temperature": 0, "num_predict": 16}


def main():
    client = ollama.Client(host=sys.argv[1])
    found = {"models": [model.model for model in client.list().models]}
    found["name"] = found["models"][0]
    found["chat"] = client.chat(found["name"], QUESTION, options=OPTIONS).message.content
    found["stream"] = "".join(part.message.content for part in
                              client.chat(found["name"], QUESTION, options=OPTIONS, stream=True))
    found["generate"] = client.generate(found["name"], "Once", raw=True, options=OPTIONS).response
    found["embeddings"] = len(client.embed(found["name"], ["one", "two"]).embeddings)
    found["show"] = client.show(found["name"]).details.family
    found["running"] = len(client.ps().models)
    print(json.dumps(found))


main()
