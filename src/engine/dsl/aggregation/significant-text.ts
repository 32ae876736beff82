import { storageOf } from '../../../schema/field-type/field-types.ts'
import type { FieldType } from '../../../schema/field-type.ts'
import { sourcePaths } from '../../../schema/source-values.ts'
import { IllegalArgumentError } from '../../../util/errors.ts'
import { gatheredField } from '../field/masked-field.ts'
import { readBoolean, readText, readTexts } from '../json-scalars.ts'
import { buildQuery } from '../query-context.ts'
import type { AggregationParser } from './aggregation-parser.ts'
import type { AggregatedField } from './field-values.ts'
import { checkInclusion } from './inclusion.ts'
import { readFields } from './object-fields.ts'
import { cutOf, newSignificanceKeys, significanceReaders } from './significance-keys.ts'
import { valueFilter } from './value-filter.ts'
import { checkFieldGiven, newValueKeys } from './value-keys.ts'

/** `significant_text`. */
export const significantText: AggregationParser = {
  takesChildren: false,
  sortable: 'no',
  parse({ name, node }) {
    const keys = newValueKeys()
    const significance = newSignificanceKeys()
    let sourceFields: readonly string[] | null = null
    let dropsRepeated = false
    readFields(node, 'significant_text', {
      field: value => {
        keys.field = readText(value)
      },
      ...significanceReaders(significance, 'significant_text', name),
      source_fields: value => {
        sourceFields = readTexts(value)
      },
      filter_duplicate_text: value => {
        dropsRepeated = readBoolean(value)
      },
    })
    checkFieldGiven(keys)
    const { background, inclusion } = significance
    checkInclusion(inclusion)
    return {
      queries: background === null ? [] : [background],
      bind(context) {
        const field = gatheredField(keys.field ?? '', context)
        const values = {
          kind: 'terms' as const,
          field: field?.name ?? '',
          fieldData: null,
          missing: null,
          format: { kind: 'raw' as const },
        }
        const plan = {
          kind: 'significantText' as const,
          children: [],
          values,
          ...cutOf(significance, name, context),
          paths: sourceFields ?? (isAnalyzed(field) ? sourcePaths(field, context.mapping) : []),
          dropsRepeated,
          filter: valueFilter(inclusion, values, name, context),
          background: background === null ? null : buildQuery(background, context),
        }
        if (field === null) return { kind: 'unmapped', name, children: [], model: plan }
        if (isAnalyzed(field)) return plan
        throw new IllegalArgumentError(
          `Field [${field.name}] has no analyzer, but SignificantText requires an analyzed field`,
        )
      },
    }
  },
}

/** Whether the values of a field are texts. */
function isAnalyzed(field: AggregatedField | null): field is FieldType {
  if (field === null || field.type.startsWith('_')) return false
  const { kind } = storageOf(field as FieldType)
  return kind === 'tokens' || kind === 'terms' || kind === 'completions'
}
