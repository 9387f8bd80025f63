/** One line per finished trial, one per iteration: easy to grep, easy to send to a chat. */
export const lines = {
  name: "lines",
  help: "one line per trial, then one per skill",
  create: ({ write }) => ({
    name: "lines",
    event(event) {
      if (event.kind === "trial-finished") write(`trial ${event.trial.id} ${event.run.outcome.status}\n`);
    },
    finish(reports) {
      for (const { summary } of reports) write(`skill ${summary.suite} ${summary.verdict}\n`);
    },
  }),
};
