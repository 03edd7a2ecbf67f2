package import Settings

/// Settings of a reload, for the capabilities that follow it.
package struct SettingsReload: Sendable {
    /// Settings that were in force.
    package let old: GatewaySettings
    /// Settings of the files.
    package let next: GatewaySettings
    /// Settings to follow now. While an alarm is open they keep the persons and channels that it concerns.
    package let current: GatewaySettings

    package init(old: GatewaySettings, next: GatewaySettings, current: GatewaySettings) {
        self.old = old
        self.next = next
        self.current = current
    }
}
