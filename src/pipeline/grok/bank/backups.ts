/** Patterns of the log of the backup program Bacula: one line for each of its messages (`message-pattern.ts`). */
import { messagePattern } from '../message-pattern.ts'

const PARTS: Readonly<Record<string, string>> = {
  volume: '%{BACULA_VOLUME:volume}',
  device: '%{BACULA_DEVICE:device}',
  path: '%{BACULA_DEVICEPATH:path}',
  job: '%{BACULA_JOB:job}',
  client: '%{BACULA_HOST:client}',
  capacity: '%{BACULA_CAPACITY}',
  version: '%{BACULA_VERSION}',
  when: '%{MONTHDAY}-%{MONTH}-%{YEAR} %{HOUR}:%{MINUTE}(?::%{SECOND})?',
  'lower or upper': '[Nn]o',
}

/** Messages by the ends of their names, those first that begin as others do. */
const MESSAGES: Readonly<Record<string, string>> = {
  MAX_CAPACITY:
    'User defined maximum volume capacity {capacity} exceeded on device "{device}" ({path})',
  END_VOLUME: 'End of medium on Volume "{volume}" Bytes={capacity} Blocks={capacity} at {when}.',
  NEW_VOLUME: 'Created new Volume "{volume}" in catalog.',
  NEW_LABEL: 'Labeled new Volume "{volume}" on <file >device "{device}" ({path}).',
  WROTE_LABEL: 'Wrote label to prelabeled Volume "{volume}" on device "{device}" ({path})',
  NEW_MOUNT: 'New volume "{volume}" mounted on device "{device}" ({path}) at {when}.',
  NOOPENDIR: 'Could not open directory {filename}: ERR={berror}',
  NOOPEN: 'Cannot open {filename}: ERR={berror}',
  NOSTAT: 'Could not stat {filename}: ERR={berror}',
  NOJOBS: 'There are no more Jobs associated with Volume "{volume}". Marking it purged.',
  ALL_RECORDS_PRUNED: 'All records pruned from Volume "{volume}"; marking it "Purged"',
  BEGIN_PRUNE_JOBS: 'Begin pruning Jobs older than {#month} month< {#day} days> .',
  BEGIN_PRUNE_FILES: 'Begin pruning Files.',
  PRUNED_JOBS: 'Pruned {#jobs} Jobs for client {client} from catalog.',
  PRUNED_FILES: 'Pruned Files from {#jobs} Jobs for client {client} from catalog.',
  ENDPRUNE: 'End auto prune.',
  STARTJOB: 'Start Backup JobId {#backup_jobid}, Job={job}',
  STARTRESTORE: 'Start Restore Job {job}',
  USEDEVICE: 'Using Device "{device}"',
  DIFF_FS: '{filename} is a different filesystem. Will not descend from {parent} into it.',
  JOBEND: 'Job write elapsed time = {elapsed}, Transfer rate = {rate} Bytes/second',
  NOPRUNE_JOBS: 'No Jobs found to prune.',
  NOPRUNE_FILES: 'No Files found to prune.',
  VOLUME_PREVWRITTEN: 'Volume "{volume}" previously written, moving to end of data.',
  READYAPPEND: 'Ready to append to end of Volume "{volume}" size={#size}',
  CANCELLING: 'Cancelling duplicate JobId={#cancelled_jobid}.',
  MARKCANCEL: 'JobId {#cancelled_jobid}, Job {job} marked to be canceled.',
  CLIENT_RBJ: 'shell command: run ClientRunBeforeJob "{runjob}"',
  VSS: '<Generate >VSS <Writer>',
  MAXSTART: 'Fatal error: Job canceled because max start delay time exceeded.',
  DUPLICATE: 'Fatal error: JobId {#duplicate} already running. Duplicate job not allowed.',
  NOJOBSTAT: 'Fatal error: No Job status returned from FD.',
  FATAL_CONN:
    'Fatal error: bsock.c:{#line} Unable to connect to <Client: {client} on ><Storage daemon on >{address}:{#port}. ERR={berror}',
  NO_CONNECT:
    'Warning: bsock.c:{#line} Could not connect to <Client: {client} on ><Storage daemon on >{address}:{#port}. ERR={berror}',
  NO_AUTH: 'Fatal error: Unable to authenticate with File daemon at "{address}:{#port}"',
  NOSUIT: '{lower or upper} prior or suitable Full backup found in catalog. Doing FULL backup.',
  NOPRIOR: 'No prior Full backup Job record found.',
  JOB: '<Error: >Bacula {client} {version} ({when}):',
}

const messages = Object.entries(MESSAGES)

/** By name. */
export const BACKUP_PATTERNS: Readonly<Record<string, string>> = {
  BACULA_TIMESTAMP: '%{MONTHDAY}-%{MONTH}(?:-%{YEAR})? %{HOUR}:%{MINUTE}',
  BACULA_HOST: '[a-zA-Z0-9][a-zA-Z0-9.-]*',
  BACULA_VOLUME: '%{USER}',
  BACULA_DEVICE: '%{USER}',
  BACULA_DEVICEPATH: '%{UNIXPATH}',
  // Numbers of bytes have commas between their thousands.
  BACULA_CAPACITY: '[0-9]{1,3}(?:,[0-9]{3})*',
  BACULA_VERSION: '%{USER}',
  BACULA_JOB: '%{USER}',
  ...Object.fromEntries(
    messages.map(([name, text]) => [`BACULA_LOG_${name}`, messagePattern(text, PARTS)]),
  ),
  BACULA_LOGLINE:
    '%{BACULA_TIMESTAMP:bts} %{BACULA_HOST:hostname} JobId %{INT:jobid}: ' +
    `(?:${messages.map(([name]) => `%{BACULA_LOG_${name}}`).join('|')})`,
}
