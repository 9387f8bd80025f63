const text = { type: "string", minLength: 1 };
const place = { type: "integer", minimum: 1 };
const message = { type: "object", properties: { text }, required: ["text"], additionalProperties: false };

/** SARIF 2.1.0 as far as Assay writes it: its names, its required keys, and no others. */
export const SARIF_SCHEMA = {
  type: "object",
  properties: {
    $schema: text,
    version: { const: "2.1.0" },
    runs: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: {
          columnKind: { enum: ["utf16CodeUnits", "unicodeCodePoints"] },
          tool: {
            type: "object",
            properties: {
              driver: {
                type: "object",
                properties: {
                  name: text,
                  version: text,
                  rules: {
                    type: "array",
                    items: {
                      type: "object",
                      properties: {
                        id: text,
                        shortDescription: message,
                        help: message,
                        properties: { type: "object" },
                      },
                      required: ["id"],
                      additionalProperties: false,
                    },
                  },
                },
                required: ["name"],
                additionalProperties: false,
              },
            },
            required: ["driver"],
            additionalProperties: false,
          },
          results: {
            type: "array",
            items: {
              type: "object",
              properties: {
                ruleId: text,
                ruleIndex: { type: "integer", minimum: 0 },
                level: { enum: ["none", "note", "warning", "error"] },
                message,
                locations: {
                  type: "array",
                  items: {
                    type: "object",
                    properties: {
                      physicalLocation: {
                        type: "object",
                        properties: {
                          artifactLocation: {
                            type: "object",
                            properties: { uri: text, uriBaseId: text },
                            additionalProperties: false,
                          },
                          region: {
                            type: "object",
                            properties: { startLine: place, startColumn: place },
                            additionalProperties: false,
                          },
                        },
                        required: ["artifactLocation"],
                        additionalProperties: false,
                      },
                    },
                    additionalProperties: false,
                  },
                },
              },
              required: ["message"],
              additionalProperties: false,
            },
          },
        },
        required: ["tool", "results"],
        additionalProperties: false,
      },
    },
  },
  required: ["version", "runs"],
  additionalProperties: false,
};
