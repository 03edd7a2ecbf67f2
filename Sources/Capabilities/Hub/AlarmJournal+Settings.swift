package import Settings
package import Vault

extension AlarmJournal {
    /// Opens the journal of this gateway.
    ///
    /// - Parameter marks: marks of its state directory; nil for a reader.
    package init(of gateway: GatewaySettings.Gateway, marks: StateMarks? = nil) {
        self.init(path: gateway.stateDirectory + "/alarms.jsonl", marks: marks)
    }
}
