// Prints what OpenAI's npm client made of the server at argv[2]; the client's folder is argv[3].
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(process.argv[3] + "/"));
const { OpenAI } = require("openai");

const baseURL = process.argv[2] + "/v1";
const messages = [{ role: "user", content: "Once upon a time" }];
const settings = { model: "tiny", temperature: 0, max_tokens: 16 };
const client = new OpenAI({ baseURL, apiKey: "sk-test", maxRetries: 0 });
const stranger = new OpenAI({ baseURL, apiKey: "sk-other", maxRetries: 0 });

async function errorOf(call) {
  try {
    await call();
  } catch (error) {
    return error.constructor.name;
  }
  return "none";
}

async function chatStream() {
  let text = "", usage = 0;
  const stream = await client.chat.completions.create(
    { messages, stream: true, stream_options: { include_usage: true }, ...settings });
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta.content ?? "";
    usage = chunk.usage?.completion_tokens ?? usage;
  }
  return { text, usage };
}

async function responseStream() {
  let text = "";
  const stream = await client.responses.create(
    { model: "tiny", input: "Once upon a time", temperature: 0, max_output_tokens: 16, stream: true });
  for await (const event of stream) if (event.type === "response.output_text.delta") text += event.delta;
  return text;
}

// The client leaves after the first piece; the answer would be long.
async function cancelled() {
  const stream = await client.chat.completions.create({ messages, stream: true, ...settings, max_tokens: 400 });
  for await (const chunk of stream) {
    stream.controller.abort();
    break;
  }
  return stream.controller.signal.aborted;
}

const found = { models: [] };
for await (const model of client.models.list()) found.models.push(model.id);
const whole = await client.chat.completions.create({ messages, logprobs: true, top_logprobs: 2, ...settings });
found.chat = whole.choices[0].message.content;
found.logprobs = whole.choices[0].logprobs.content.length;
const streamed = await chatStream();
found.stream = streamed.text;
found.usage = streamed.usage;
found.text = (await client.completions.create({ prompt: "Once", logprobs: 2, ...settings })).choices[0].text;
const response = await client.responses.create(
  { model: "tiny", input: "Once upon a time", temperature: 0, max_output_tokens: 16 });
found.response = response.output_text;
found.response_stream = await responseStream();
await client.responses.create(
  { model: "tiny", input: "And then?", previous_response_id: response.id, max_output_tokens: 4 });
const schema = { type: "object", properties: { yes: { type: "boolean" } }, required: ["yes"], additionalProperties: false };
const formed = await client.chat.completions.create({
  messages, ...settings, max_tokens: 64,
  response_format: { type: "json_schema", json_schema: { name: "answer", strict: true, schema } },
});
found.schema = typeof JSON.parse(formed.choices[0].message.content).yes;
const called = await client.chat.completions.create({
  messages, ...settings, max_tokens: 64, reasoning_budget: 0,
  tools: [{ type: "function", function: { name: "answer", strict: true, parameters: schema } }],
  tool_choice: { type: "function", function: { name: "answer" } },
});
const call = called.choices[0].message.tool_calls?.[0];
found.tool = call ? [call.function.name, typeof JSON.parse(call.function.arguments)] : null;
found.embedding = [];
for (const encoding_format of ["float", "base64"]) {
  const answer = await client.embeddings.create({ model: "tiny", input: "Once", encoding_format });
  let vector = answer.data[0].embedding;
  if (typeof vector === "string") {
    const raw = Buffer.from(vector, "base64");
    vector = Array.from({ length: raw.length / 4 }, (_, i) => raw.readFloatLE(4 * i));
  }
  found.embedding.push(vector.slice(0, 4).map((value) => value.toFixed(5)));
}
found.cancelled = await cancelled();
found.bad_key = await errorOf(() => stranger.models.list());
found.too_long = await errorOf(() => client.completions.create({ prompt: "Once ".repeat(100_000), ...settings }));
console.log(JSON.stringify(found));
