/** Style sheets are bundled beside the script by esbuild. */
declare module '*.css';
