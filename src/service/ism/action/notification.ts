import { type ActionType, callStep, defineAction } from '../action-type.ts'
import { type PolicyMessage, parsePolicyMessage, printPolicyMessage } from '../policy/message.ts'
import { renderTemplate } from '../render-template.ts'

const TITLE = 'Index Management-ISM-Notification Action'

/** `notification`: a message goes to a channel; a node that ends meanwhile sends it again. */
export const notification: ActionType<unknown> = defineAction<PolicyMessage>({
  parse: node => parsePolicyMessage(node, 'NotificationAction', 'Notification'),
  print: printPolicyMessage,
  steps: [
    callStep(
      'attempt_notification',
      async ({ engine, ports, config, templateContext }) => {
        const text = renderTemplate(engine, config.template, templateContext())
        await ports.notify(config.channelId, TITLE, text)
      },
      ({ index: { name } }) => ({
        done: `Successfully sent notification [index=${name}]`,
        failed: `Failed to send notification [index=${name}]`,
      }),
    ),
  ],
})
