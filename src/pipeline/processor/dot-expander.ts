import type { ScriptMap } from '../../script/value/script-value.ts'
import { IllegalArgumentError } from '../../util/errors.ts'
import { parsePath } from '../field-path.ts'
import type { IngestDocument } from '../ingest-document.ts'
import { changes, type ProcessorType } from '../processor.ts'
import type { ProcessorConfig } from '../processor-config.ts'

/** `dot_expander`: a field whose name has dots as the path that it looks like. */
export const DOT_EXPANDER: ProcessorType = {
  name: 'dot_expander',
  parse(config) {
    const field = config.text('field')
    checkField(config, field)
    const given = config.optionalText('path')
    const path = given === null ? null : config.pathOf('path', given)
    const lead = path === null ? '' : `${path.text}.`
    return changes(document => {
      const holder = path === null ? document.fields : document.map(path)
      if (holder === null) return
      const names = field === '*' ? [...holder.keys()] : [field]
      for (const name of names)
        if (typeof name === 'string' && isExpandable(name)) expand(document, holder, name, lead)
    })
  },
}

function checkField(config: ProcessorConfig, field: string): void {
  if (field === '*') return
  if (!field.includes('.'))
    throw config.fault('field', 'field does not contain a dot and is not a wildcard')
  if (field.startsWith('.') || field.endsWith('.'))
    throw config.fault('field', "Field can't start or end with a dot")
  if (field.includes('..')) throw config.fault('field', 'No space between dots')
}

function isExpandable(name: string): boolean {
  return name.includes('.') && !name.split('.').includes('')
}

function expand(document: IngestDocument, holder: ScriptMap, name: string, lead: string): void {
  const value = holder.get(name)
  if (value === undefined) return
  const whole = lead + name
  const path = parsePath(whole)
  if (document.has(path)) {
    holder.delete(name)
    document.append(path, value)
    return
  }
  for (let dot = whole.indexOf('.'); dot >= 0; dot = whole.indexOf('.', dot + 1)) {
    const part = parsePath(whole.slice(0, dot))
    if (!document.has(part)) break
    if (!(document.get(part) instanceof Map))
      throw new IllegalArgumentError(
        `cannot expend [${whole}], because [${part.text}] is not an object field, but a value field`,
      )
  }
  holder.delete(name)
  document.set(path, value)
}
