import { defineConfig } from '@playwright/test';

// A browser that is installed already, such as Chrome; without it, run: npx playwright install chromium
const { CHROMIUM, PORT = '5199' } = process.env;

export default defineConfig({
  testDir: 'e2e',
  timeout: 60_000,
  workers: 2,
  reporter: [['list'], ['json', { outputFile: 'test-results/report.json' }]],
  use: {
    baseURL: `http://localhost:${PORT}`,
    launchOptions: CHROMIUM === undefined ? {} : { executablePath: CHROMIUM, args: ['--no-sandbox'] },
  },
  webServer: { command: `npx vite --port ${PORT} --strictPort`, url: `http://localhost:${PORT}` },
});
