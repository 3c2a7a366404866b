/**
 * Files of src/editor that do not name vscode themselves, by the reason why they are not in the toolkit. The list may
 * only shrink: logic that knows no window belongs into the toolkit, where the command line can use it too.
 */
export const editorFiles: Readonly<Record<string, readonly string[]>> = {
  'types of the services and rows that features share': [
    'accounts/accountServices.ts',
    'localnet/localElement.ts',
    'networks/networkServices.ts',
    'send/sendServices.ts',
    'traces/traceElement.ts',
    'traces/traceServices.ts',
    'webhooks/webhookServices.ts',
  ],
  'questions and suggestions of the inputs in ui': [
    'accounts/accountReader.ts',
    'accounts/accountSuggestions.ts',
    'accounts/askAccount.ts',
    'getMethods/argumentQuestions.ts',
    'getMethods/askContract.ts',
    'getMethods/askGetMethodCall.ts',
    'getMethods/askMethod.ts',
    'getMethods/methodSuggestion.ts',
    'getMethods/withGroups.ts',
    'localnet/askCell.ts',
    'localnet/askCoins.ts',
    'send/askComposedLine.ts',
    'ui/back.ts',
  ],
  'what commands do: they ask, show progress, and open documents': [
    'getMethods/runGetMethodCommand.ts',
    'getMethods/showGetMethodResult.ts',
    'send/composeCommand.ts',
    'ui/showCommandError.ts',
    'webhooks/webhookCommandIds.ts',
    'webhooks/webhookCommands.ts',
  ],
  'what this window knows (its accounts, pins, sources, settings, orders), handed to the toolkit': [
    'accounts/itemAddress.ts',
    'accounts/knownAccounts.ts',
    'cells/bocWords.ts',
    'cells/describeInWorkspace.ts',
    'cells/readPickedBoc.ts',
    'contracts/deployedOf.ts',
    'getMethods/callOnNetwork.ts',
    'getMethods/noteAnswer.ts',
    'project/methodsOf.ts',
    'project/projectBodies.ts',
    'project/projectWords.ts',
    'traces/traceKnowledge.ts',
    'webhooks/openOrders.ts',
  ],
  'what views show is kept current': ['traces/traceCompletion.ts', 'ui/keptRows.ts'],
};
