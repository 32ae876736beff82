import { compileDateFormat } from '../../schema/date-format.ts'
import { javaText } from '../../script/value/java-text.ts'
import { parseLocale } from '../../util/date/date-names.ts'
import { timeZone } from '../../util/date/time-zone.ts'
import { EngineError, type ErrorRecord, IllegalArgumentError } from '../../util/errors.ts'
import { dateReader } from '../date-reader.ts'
import { parsePath } from '../field-path.ts'
import { changes, type ProcessorType } from '../processor.ts'

const INDEX = parsePath('_index')

/** `date_index_name`: the index of the time that a document's date falls into. */
export const DATE_INDEX_NAME: ProcessorType = {
  name: 'date_index_name',
  parse(config) {
    const zoneName = config.optionalText('timezone') ?? 'UTC'
    const localeName = config.optionalText('locale') ?? 'ENGLISH'
    const formats = config.optionalTexts('date_formats') ?? ["yyyy-MM-dd'T'HH:mm:ss.SSSXX"]
    const field = config.path('field')
    const prefix = config.template(
      'index_name_prefix',
      config.optionalText('index_name_prefix') ?? '',
    )
    const rounding = config.template('date_rounding')
    const nameFormat = config.template(
      'index_name_format',
      config.optionalText('index_name_format') ?? 'yyyy-MM-dd',
    )
    const zone = valid(
      () => timeZone(zoneName),
      reason => config.fault('timezone', reason),
    )
    const locale = valid(
      () => (localeName === 'ENGLISH' ? 'en' : parseLocale(localeName)),
      reason => config.fault('locale', reason),
    )
    const readers = valid(
      () => formats.map(format => dateReader(format, zone, locale)),
      reason => config.fault('date_formats', reason),
    )
    return changes(document => {
      const value = document.get(field)
      const text = value === null ? null : javaText(value)
      let causedBy: ErrorRecord | undefined
      for (const read of text === null ? [] : readers)
        try {
          const millis = read(text!)
          const [lead, unit, format] = [prefix(document), rounding(document), nameFormat(document)]
          const date = compileDateFormat(format).print(millis, 0, zone)
          document.set(
            INDEX,
            `<${escaped(lead)}{${escaped(date)}||/${escaped(unit)}{${escaped(format)}|${zoneName}}}>`,
          )
          return
        } catch (error) {
          if (!(error instanceof EngineError)) throw error
          causedBy = error.record
        }
      throw new IllegalArgumentError(
        `unable to parse date [${text}]`,
        causedBy === undefined ? {} : { causedBy },
      )
    })
  },
}

function valid<T>(make: () => T, fault: (reason: string) => EngineError): T {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw fault(error.record.reason)
  }
}

/** Characters that mean something in date math, as themselves. */
function escaped(text: string): string {
  return text.replace(/[\\<>{}|/]/g, '\\$&').replace(/\\\|/g, '|')
}
