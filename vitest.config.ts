import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Tests start real processes and use real files on two cores: generous limits, no timed assertions.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    // Both cores: most tests wait for processes that they started. The default leaves one idle.
    maxWorkers: 2,
  },
});
