/** How the requests of a window to the local network name their client, so that its log tells them from a program's. */
export const windowClient = 'ton-workbench-editor';
