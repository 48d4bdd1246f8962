/** The tray: what the daemon says, as a menu. It knows none of the actions. */
import type Electron from 'electron'
import type { HostPanel } from '../../../../protocol/host/orders-schema.js'
import type { ElectronApi } from './api.js'

export class TrayMenu {
  #tray: InstanceType<ElectronApi['Tray']> | null = null

  constructor(
    private readonly api: Pick<ElectronApi, 'Tray' | 'Menu' | 'nativeImage'>,
    private readonly icon: string,
    private readonly onChosen: (action: string) => void,
  ) {}

  get isUp(): boolean {
    return this.#tray !== null
  }

  /** Throws where the system has no tray. */
  show(panel: HostPanel | null): void {
    if (panel === null) return this.close()
    if (!this.#tray) {
      const image = this.api.nativeImage.createFromPath(this.icon)
      // Black on clear in the menu bar, which the system turns to what its own icons look like.
      image.setTemplateImage(true)
      this.#tray = new this.api.Tray(image)
    }
    this.#tray.setToolTip(panel.summary)
    // Linux trays show a menu as it was when it was set: it is always a new one.
    this.#tray.setContextMenu(this.api.Menu.buildFromTemplate(this.#template(panel)))
  }

  close(): void {
    this.#tray?.destroy()
    this.#tray = null
  }

  #template({ summary, groups }: HostPanel): Electron.MenuItemConstructorOptions[] {
    const filled = groups.filter((group) => group.length > 0)
    return [
      { label: summary, enabled: false },
      ...filled.flatMap((group): Electron.MenuItemConstructorOptions[] => [
        { type: 'separator' },
        ...group.map(({ action, label, checked, enabled }): Electron.MenuItemConstructorOptions => ({
          label,
          enabled: action !== undefined && enabled !== false,
          ...(checked !== undefined && { type: 'checkbox', checked }),
          ...(action !== undefined && { click: () => this.onChosen(action) }),
        })),
      ]),
    ]
  }
}
