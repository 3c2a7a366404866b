/**
 * Files that open files themselves, by the reason. Everything else reads with readUserFile and writes with writeUserFile, which
 * bound what is read and keep links and modes.
 */
export const fileOpeners: Readonly<Record<string, readonly string[]>> = {
  'the helpers': [
    'cli/readGivenFile.ts',
    'editor/ui/readWorkspaceFile.ts',
    'toolkit/base/readUserFile.ts',
    'toolkit/base/writeUserFile.ts',
  ],
  'files of a journal, a lock or a cache, in a folder that is ours': [
    'toolkit/base/journal/journalDisk.ts',
    'toolkit/base/journal/folderLock.ts',
    'toolkit/base/journal/tonFolder.ts',
    'toolkit/localnet/folder/folderRecord.ts',
    'toolkit/localnet/folder/takeOverOldState.ts',
  ],
  'the recorder, which runs in tests of other people and has nothing of this project but itself': [
    'library/record.ts',
    'toolkit/testRuns/recordLines.ts',
  ],
  'what the system says about processes': ['toolkit/base/journal/processMark.ts'],
  'an export that is written as it is read, straight into the file': [
    'toolkit/webhook/journal/openKeptInbox.ts',
    'toolkit/webhook/listener/listenerCore.ts',
  ],
  'a copy of a whole project, which is changed instead of it': ['toolkit/testRuns/mutateTests.ts'],
};
