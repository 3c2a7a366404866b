declare module '@ton/tolk-js/dist/stdlib.tolk.js' {
  const library: Readonly<Record<string, string>>;
  export = library;
}
