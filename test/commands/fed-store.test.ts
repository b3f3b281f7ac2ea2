/** What `status` says of a memory that other stores feed. */
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { renderStore } from "../../src/commands/render-status.ts";
import { viewStores } from "../../src/commands/status-view.ts";
import { gateLimits } from "../../src/steps/limits.ts";
import { type Home, makeHome, START } from "../support/home.ts";

let home: Home;
afterEach(() => home.remove());

const as = (text: string) => text;
const PLAIN = { good: as, bad: as, dim: as, strong: as };

it.each(["person", "team"] as const)("a %s's has no gates and no sessions: it follows the projects", (layout) => {
  home = makeHome();
  const world = home.world();
  const at = { ...world, state: join(home.root, "state", "memd") };
  const [view, other] = viewStores(at, [{ ...home.store, layout }, home.store], gateLimits(world.config));
  expect(view?.gates).toEqual([]);
  expect(other?.gates.map(({ gate }) => gate)).toContain("sessions");
  const page = view && renderStore(view, START, PLAIN);
  expect(page).toContain("follows the projects");
  expect(page).not.toMatch(/gate|sessions/);
});
