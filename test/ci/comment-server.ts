import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

interface Comment {
  readonly id: number;
  body: string;
  /** One that the token may not change. */
  readonly foreign?: boolean;
}

/** As much of GitHub's and GitLab's services as comments need, on this machine. */
export async function commentServer(pulls: readonly object[] = []) {
  const comments: Comment[] = [];
  const calls: { readonly method: string; readonly path: string; readonly token: string }[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    const method = request.method ?? "";
    const token = request.headers.authorization ?? request.headers["private-token"];
    calls.push({ method, path: url.pathname, token: String(token ?? "") });
    let text = "";
    request.on("data", (chunk: Buffer) => void (text += chunk.toString()));
    request.on("end", () => {
      const answer = (status: number, value: unknown) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(value));
      };
      const body = text === "" ? "" : (JSON.parse(text) as { body: string }).body;
      if (url.pathname.endsWith("/pulls")) return answer(200, pulls);
      if (method === "GET") {
        const at = (Number(url.searchParams.get("page")) - 1) * 100;
        return answer(200, comments.slice(at, at + 100));
      }
      if (method === "POST") {
        comments.push({ id: comments.length + 1, body });
        return answer(201, {});
      }
      const found = comments.find(({ id }) => id === Number(url.pathname.split("/").at(-1)));
      if (found === undefined || found.foreign === true) return answer(403, {});
      found.body = body;
      return answer(200, {});
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    comments,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
