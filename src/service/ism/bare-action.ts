import { type ActionType, callStep, defineAction, type StepContext } from './action-type.ts'
import { readEmpty } from './policy/read-fields.ts'

/**
 * A kind of action whose object is empty, and which is one call.
 * @param step     its name
 * @param done     what was done to the index, behind `Successfully`
 * @param verb the same, behind `Failed to`
 */
export function bareAction(
  step: string,
  [done, verb]: readonly [done: string, verb: string],
  call: (context: StepContext<null>) => Promise<unknown>,
): ActionType<unknown> {
  return defineAction<null>({
    parse(node) {
      readEmpty(node)
      return null
    },
    print: () => ({}),
    steps: [
      callStep(step, call, ({ index: { name } }) => ({
        done: `Successfully ${done} [index=${name}]`,
        failed: `Failed to ${verb} [index=${name}]`,
      })),
    ],
  })
}
