import { readBoolean, readText } from '../../../engine/dsl/json-scalars.ts'
import type { JsonNode } from '../../../util/json/json-tree.ts'
import { type ActionType, callStep, defineAction } from '../action-type.ts'
import { changeSettings } from '../change-settings.ts'
import { entriesOf, readFields, require } from '../policy/read-fields.ts'

type Attributes = ReadonlyMap<string, string>

interface Allocation {
  readonly require: Attributes
  readonly include: Attributes
  readonly exclude: Attributes
  readonly waitsFor: boolean
}

const RULES = ['require', 'include', 'exclude'] as const

/** `allocation`: the attributes of the nodes that the index may be on. */
export const allocation: ActionType<unknown> = defineAction<Allocation>({
  parse(node) {
    const none: Attributes = new Map()
    const found = { require: none, include: none, exclude: none, waitsFor: false }
    readFields(node, 'AllocationAction', {
      require: value => {
        found.require = attributesOf(value)
      },
      include: value => {
        found.include = attributesOf(value)
      },
      exclude: value => {
        found.exclude = attributesOf(value)
      },
      wait_for: value => {
        found.waitsFor = readBoolean(value)
      },
    })
    require(RULES.some(
      rule => found[rule].size > 0,
    ), 'At least one allocation parameter need to be specified.')
    return found
  },
  print: config => ({
    require: config.require,
    include: config.include,
    exclude: config.exclude,
    wait_for: config.waitsFor,
  }),
  steps: [
    callStep(
      'attempt_allocation',
      context =>
        changeSettings(
          context,
          context.index.name,
          Object.fromEntries(
            RULES.flatMap(rule =>
              Array.from(context.config[rule], ([name, value]) => [
                `index.routing.allocation.${rule}.${name}`,
                value,
              ]),
            ),
          ),
        ),
      ({ index: { name } }) => ({
        done: `Successfully updated allocation setting [index=${name}]`,
        failed: `Failed to update allocation setting [index=${name}]`,
      }),
    ),
  ],
})

function attributesOf(node: JsonNode): Attributes {
  return new Map(entriesOf(node).map(({ key, value }) => [key, readText(value)]))
}
