import { compileDateFormat } from '../../schema/date-format.ts'
import { javaText } from '../../script/value/java-text.ts'
import { parseLocale } from '../../util/date/date-names.ts'
import { timeZone } from '../../util/date/time-zone.ts'
import { EngineError, type ErrorRecord, IllegalArgumentError } from '../../util/errors.ts'
import { type DateReader, dateReader } from '../date-reader.ts'
import { changes, type ProcessorType } from '../processor.ts'

/** Zone and locale that templates gave last: readers are made once for each. */
interface Readers {
  readonly zone: string
  readonly locale: string
  readonly read: readonly (() => DateReader)[]
  readonly print: (millis: number) => string
}

/** `date`: a date in one of several formats, as a text in one. */
export const DATE: ProcessorType = {
  name: 'date',
  parse(config) {
    const field = config.path('field')
    const givenTarget = config.optionalText('target_field') ?? '@timestamp'
    const target = config.pathOf('target_field', givenTarget)
    const zoneName = config.template('timezone', config.optionalText('timezone') ?? 'UTC')
    const localeName = config.template('locale', config.optionalText('locale') ?? 'ENGLISH')
    const formats = config.texts('formats')
    const output = config.optionalText('output_format') ?? "yyyy-MM-dd'T'HH:mm:ss.SSSXXX"
    checkOutput(output, reason => config.fault('output_format', reason))
    let readers: Readers | null = null
    return changes(document => {
      const value = document.get(field)
      const text = value === null ? null : javaText(value)
      const [zone, locale] = [zoneName(document), localeName(document)]
      if (readers?.zone !== zone || readers.locale !== locale)
        readers = readersOf(formats, output, zone, locale)
      let causedBy: ErrorRecord | undefined
      for (const read of text === null ? [] : readers.read)
        try {
          document.set(target, readers.print(read()(text!)))
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

function checkOutput(pattern: string, fault: (reason: string) => EngineError): void {
  try {
    compileDateFormat(pattern)
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    throw fault(`invalid output format [${pattern}]: ${error.record.reason}`)
  }
}

function readersOf(
  formats: readonly string[],
  output: string,
  zone: string,
  locale: string,
): Readers {
  const known = timeZone(zone)
  const language = locale === 'ENGLISH' ? 'en' : parseLocale(locale)
  const format = compileDateFormat(output, language)
  return {
    zone,
    locale,
    read: formats.map(pattern => {
      let reader: DateReader | null = null
      return () => (reader ??= dateReader(pattern, known, language))
    }),
    print: millis => format.print(millis, 0, known),
  }
}
