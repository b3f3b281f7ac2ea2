/** One pass asks a database once for its sessions, whoever else in it asks too. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { nodeFiles } from "../../src/base/files.ts";
import { databaseSource, type SessionRow } from "../../src/sources/database/source.ts";
import { describeWithSqlite } from "../support/sqlite.ts";
import { opencode } from "./opencode-world.ts";
import { tempFolder } from "./world.ts";

const row = (session: string): SessionRow => ({ session, rows: 1, changedAt: 1, drop: null });

describeWithSqlite("the sessions of a database", () => {
  function world() {
    const root = tempFolder();
    const client = opencode(join(root, "opencode.db"));
    client.session();
    let asked = 0;
    let tables: readonly SessionRow[] | null = [row("a"), row("b")];
    const source = (name = "kept") =>
      databaseSource(nodeFiles, {
        client: "kept",
        name,
        hasName: (file) => file === "opencode.db",
        sessions: () => {
          asked++;
          return tables;
        },
        begin: () => null,
      });
    return {
      client,
      source,
      list: (by = source()) => [...by.list(root)].map(({ session, drop }) => drop ?? session),
      asked: () => asked,
      tell: (next: readonly SessionRow[] | null) => {
        tables = next;
      },
    };
  }

  it("are asked for once, however many projects and sources want them", () => {
    const { list, asked, source } = world();
    const one = source();
    expect([list(one), list(one), list()]).toEqual(Array(3).fill(["a", "b"]));
    expect(asked()).toBe(1);
  });

  it("are asked for anew after a commit, and after the log was folded into the file", () => {
    const { list, client, tell } = world();
    list();
    tell([row("c")]);
    client.session({ id: "ses_2" });
    expect(list()).toEqual(["c"]);
    client.db.pragma("wal_checkpoint(TRUNCATE)");
    tell([row("d")]);
    expect(list()).toEqual(["d"]);
  });

  it("are not shared by formats that list another way", () => {
    const { list, asked, source } = world();
    list(source("kept"));
    list(source("kept, packed"));
    expect(asked()).toBe(2);
  });

  it("are asked for again while the tables are none that are known", () => {
    const { list, tell } = world();
    tell(null);
    expect(list()).toEqual(["unknown-format"]);
    tell([row("a")]);
    expect(list()).toEqual(["a"]);
  });
});
