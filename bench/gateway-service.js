// A model service that streams at the pace of a model. Sends its port.
import { createServer } from "node:http";
import { eventsOf, stamp } from "./gateway-stream.js";

const FIRST_MS = 100;
const NEXT_MS = 20;

createServer((request, response) => {
  request.resume();
  request.once("end", () => {
    const events = eventsOf(request.headers["x-mark"]);
    const next = () => {
      const words = stamp() + events.shift();
      if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
      if (events.length === 0) response.end(words);
      else {
        response.write(words);
        setTimeout(next, NEXT_MS);
      }
    };
    setTimeout(next, FIRST_MS);
  });
}).listen(0, "127.0.0.1", function () {
  process.send(this.address().port);
});
