/** The folders and files that Lets uses, and who may reach them. */
import { accessSync, constants, existsSync, lstatSync } from 'node:fs'
import { folderFault, type Paths, socketFolder, socketPathFault } from '../../paths.js'
import type { Finding } from './finding.js'

export function places({ socket, home }: Paths): Finding[] {
  const pathFault = socketPathFault(socket)
  if (pathFault)
    return [
      { name: 'socket', state: 'problem', found: pathFault, fix: 'export LETS_SOCKET=/a/shorter/path.sock' },
    ]
  return [...folder(socket), socketFile(socket), ...homeFolder(home)]
}

function folder(socket: string): Finding[] {
  // A named pipe lies in none.
  if (process.platform === 'win32') return []
  const path = socketFolder(socket)
  if (!existsSync(path)) {
    return [
      { name: 'folder', state: 'ok', found: `${path} is not there yet; the daemon makes it, for you alone` },
    ]
  }
  const fault = folderFault(path)
  return [
    fault
      ? { name: 'folder', state: 'problem', found: fault, fix: `chmod 700 ${path}` }
      : { name: 'folder', state: 'ok', found: `${path} is yours alone (mode ${mode(path)})` },
  ]
}

function socketFile(path: string): Finding {
  if (process.platform === 'win32' || !existsSync(path)) return { name: 'socket', state: 'ok', found: path }
  const stats = lstatSync(path)
  const fix = `chmod 600 ${path}`
  if (!stats.isSocket())
    return {
      name: 'socket',
      state: 'problem',
      found: `${path} is not a socket`,
      fix: 'export LETS_SOCKET=/another/path.sock',
    }
  if (stats.uid !== process.geteuid?.())
    return {
      name: 'socket',
      state: 'problem',
      found: `${path} belongs to another user`,
      fix: 'export LETS_SOCKET=/another/path.sock',
    }
  if ((stats.mode & 0o077) !== 0)
    return { name: 'socket', state: 'problem', found: `${path} is open to others (mode ${mode(path)})`, fix }
  return { name: 'socket', state: 'ok', found: `${path} (mode ${mode(path)})` }
}

function homeFolder(home: string): Finding[] {
  try {
    if (existsSync(home)) accessSync(home, constants.W_OK)
    return []
  } catch {
    return [
      { name: 'home', state: 'problem', found: `${home} cannot be written`, fix: `chown "$USER" ${home}` },
    ]
  }
}

function mode(path: string): string {
  return (lstatSync(path).mode & 0o777).toString(8)
}
