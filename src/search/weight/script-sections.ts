/** Sections of fields that scripts read. */
import type { ScriptField } from '../script/script-field.ts'
import type { ScriptPlan } from '../script/script-plan.ts'
import { type SectionUse, sectionBit } from './section-use.ts'

const NUMBERS = sectionBit('numericValues')
const TERMS = sectionBit('terms')
const ORDINALS = sectionBit('ordinals') | TERMS
const POSTINGS = TERMS | sectionBit('postings')
const VECTORS = sectionBit('denseVectors')
const BYTES = sectionBit('bytes')
const IDS = sectionBit('ids')

/** Sections that executions of a script read in every leaf. */
export function scriptSections({ fields, terms }: ScriptPlan): readonly SectionUse[] {
  const asked = terms?.fields.map(({ field }) => ({ field, kinds: POSTINGS })) ?? []
  return [...fields.flatMap(({ field }) => (field === null ? [] : (useOf(field) ?? []))), ...asked]
}

function useOf(field: ScriptField): SectionUse | null {
  switch (field.kind) {
    case 'long':
    case 'double':
    case 'boolean':
    case 'unsignedLong':
    case 'millis':
    case 'nanos':
      return { field: field.column.field, kinds: NUMBERS }
    case 'text':
    case 'address': {
      const { column, fieldData } = field
      if (fieldData === null) return { field: column, kinds: ORDINALS }
      return { field: column, kinds: TERMS, fieldData }
    }
    case 'place':
      return { field: field.column, kinds: NUMBERS }
    case 'bytes':
      return { field: field.column, kinds: BYTES }
    case 'vector':
      return { field: field.column, kinds: VECTORS }
    case 'id':
      return { field: '', kinds: IDS }
    case 'constant':
    case 'unreadable':
      return null
  }
}
