/**
 * Patterns of the log of Nagios: `[epoch] TYPE: fields;between;semicolons`, the last of which holds
 * whatever follows. Commands from outside have a name of their own as their first field.
 */

/** Types of lines by the end of their names, with the fields of each. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  CURRENT_SERVICE_STATE: ['hostname', 'service', 'state', 'statetype', 'statecode', 'message'],
  CURRENT_HOST_STATE: ['hostname', 'state', 'statetype', 'statecode', 'message'],
  SERVICE_NOTIFICATION: ['notifyname', 'hostname', 'service', 'state', 'contact', 'message'],
  HOST_NOTIFICATION: ['notifyname', 'hostname', 'state', 'contact', 'message'],
  SERVICE_ALERT: ['hostname', 'service', 'state', 'statelevel', 'attempt', 'message'],
  HOST_ALERT: ['hostname', 'state', 'statelevel', 'attempt', 'message'],
  SERVICE_FLAPPING_ALERT: ['hostname', 'service', 'state', 'message'],
  HOST_FLAPPING_ALERT: ['hostname', 'state', 'message'],
  SERVICE_DOWNTIME_ALERT: ['hostname', 'service', 'state', 'comment'],
  HOST_DOWNTIME_ALERT: ['hostname', 'state', 'comment'],
  PASSIVE_SERVICE_CHECK: ['hostname', 'service', 'state', 'comment'],
  PASSIVE_HOST_CHECK: ['hostname', 'state', 'comment'],
  SERVICE_EVENT_HANDLER: ['hostname', 'service', 'state', 'statelevel', 'event_handler_name'],
  HOST_EVENT_HANDLER: ['hostname', 'state', 'statelevel', 'event_handler_name'],
  TIMEPERIOD_TRANSITION: ['service', 'unknown1', 'unknown2'],
}

/** Fields of a planned downtime behind those that say of what. */
const DOWNTIME: readonly string[] = [
  'start_time',
  'end_time',
  'fixed',
  'trigger_id',
  'duration',
  'author',
  'comment',
]

/** Commands by name, with the fields of their lines; null: none has a line. */
const COMMANDS: Readonly<Record<string, readonly string[] | null>> = {
  DISABLE_SVC_CHECK: ['hostname', 'service'],
  DISABLE_HOST_CHECK: ['hostname'],
  ENABLE_SVC_CHECK: ['hostname', 'service'],
  ENABLE_HOST_CHECK: ['hostname'],
  PROCESS_SERVICE_CHECK_RESULT: ['hostname', 'service', 'state', 'check_result'],
  PROCESS_HOST_CHECK_RESULT: ['hostname', 'state', 'check_result'],
  SCHEDULE_SERVICE_DOWNTIME: null,
  SCHEDULE_HOST_DOWNTIME: ['hostname', ...DOWNTIME],
  DISABLE_HOST_SVC_NOTIFICATIONS: ['hostname'],
  ENABLE_HOST_SVC_NOTIFICATIONS: ['hostname'],
  DISABLE_HOST_NOTIFICATIONS: ['hostname'],
  ENABLE_HOST_NOTIFICATIONS: ['hostname'],
  DISABLE_SVC_NOTIFICATIONS: ['hostname', 'service'],
  ENABLE_SVC_NOTIFICATIONS: ['hostname', 'service'],
}

/** Fields between semicolons; the last one takes what is left. */
function fields(names: readonly string[]): string {
  return names
    .map((name, i) => `(?<nagios_${name}>${i < names.length - 1 ? '[^;]*' : '.*'})`)
    .join(';')
}

const lines = Object.entries(LINES)
const commands = Object.entries(COMMANDS)

/** Names of all lines, those first whose types begin as others do. */
const LINE_NAMES: readonly string[] = [
  'NAGIOS_WARNING',
  ...lines.map(([name]) => `NAGIOS_${name}`),
  ...commands.flatMap(([name, names]) => (names === null ? [] : [`NAGIOS_EC_LINE_${name}`])),
]

/** By name. */
export const NAGIOS_PATTERNS: Readonly<Record<string, string>> = {
  NAGIOSTIME: '\\[%{NUMBER:nagios_epoch}\\]',
  NAGIOS_TYPE_EXTERNAL_COMMAND: 'EXTERNAL COMMAND',
  ...Object.fromEntries(lines.map(([name]) => [`NAGIOS_TYPE_${name}`, name.replaceAll('_', ' ')])),
  ...Object.fromEntries(commands.map(([name]) => [`NAGIOS_EC_${name}`, name])),
  NAGIOS_WARNING: 'Warning:%{SPACE}%{GREEDYDATA:nagios_message}',
  ...Object.fromEntries(
    lines.map(([name, names]) => [
      `NAGIOS_${name}`,
      `%{NAGIOS_TYPE_${name}:nagios_type}: ${fields(names)}`,
    ]),
  ),
  ...Object.fromEntries(
    commands.flatMap(([name, names]) =>
      names === null
        ? []
        : [
            [
              `NAGIOS_EC_LINE_${name}`,
              `%{NAGIOS_TYPE_EXTERNAL_COMMAND:nagios_type}: %{NAGIOS_EC_${name}:nagios_command};${fields(names)}`,
            ],
          ],
    ),
  ),
  NAGIOSLOGLINE: `%{NAGIOSTIME} (?:${LINE_NAMES.map(name => `%{${name}}`).join('|')})`,
}
