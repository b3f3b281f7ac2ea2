import { describe, expect, it } from "vitest";
import { periodsAt } from "../../src/gate/periods.ts";

const at = (text: string) => Date.parse(text);
const shown = ({ from, to }: { from: number; to: number }) => [from, to].map((ms) => new Date(ms).toISOString());

describe("the day and the month that caps count", () => {
  it.each([
    ["UTC", "2026-11-30T12:00:00Z", ["2026-11-30T00:00:00.000Z", "2026-12-01T00:00:00.000Z"]],
    ["Europe/Berlin", "2026-11-30T12:00:00Z", ["2026-11-29T23:00:00.000Z", "2026-11-30T23:00:00.000Z"]],
    ["Asia/Shanghai", "2026-11-30T20:00:00Z", ["2026-11-30T16:00:00.000Z", "2026-12-01T16:00:00.000Z"]],
    ["Pacific/Kiritimati", "2026-11-30T12:00:00Z", ["2026-11-30T10:00:00.000Z", "2026-12-01T10:00:00.000Z"]],
    ["Pacific/Pago_Pago", "2026-11-30T12:00:00Z", ["2026-11-30T11:00:00.000Z", "2026-12-01T11:00:00.000Z"]],
    ["Asia/Kathmandu", "2026-11-30T12:00:00Z", ["2026-11-29T18:15:00.000Z", "2026-11-30T18:15:00.000Z"]],
    // Summer time begins: a day of 23 hours.
    ["Europe/Berlin", "2026-03-29T12:00:00Z", ["2026-03-28T23:00:00.000Z", "2026-03-29T22:00:00.000Z"]],
    // Summer time begins at midnight: the day starts at one o'clock.
    ["Africa/Cairo", "2026-04-24T12:00:00Z", ["2026-04-23T22:00:00.000Z", "2026-04-24T21:00:00.000Z"]],
  ])("in %s the day around %s", (zone, now, expected) => {
    expect(shown(periodsAt(at(now), zone).day)).toEqual(expected);
  });

  it("the month is the person's own, over the turn of a year too", () => {
    expect(shown(periodsAt(at("2026-11-30T23:30:00Z"), "Europe/Berlin").month)).toEqual([
      "2026-11-30T23:00:00.000Z",
      "2026-12-31T23:00:00.000Z",
    ]);
    expect(shown(periodsAt(at("2027-01-01T03:00:00Z"), "America/New_York").month)).toEqual([
      "2026-12-01T05:00:00.000Z",
      "2027-01-01T05:00:00.000Z",
    ]);
  });

  it("an instant is always within its own day and month", () => {
    for (const zone of ["UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia", "Africa/Cairo"])
      for (let hour = 0; hour < 24 * 40; hour += 7) {
        const now = at("2026-03-01T00:00:00Z") + hour * 3_600_000;
        for (const { from, to } of Object.values(periodsAt(now, zone))) {
          expect(from).toBeLessThanOrEqual(now);
          expect(to).toBeGreaterThan(now);
        }
      }
  });
});
