/// State of one SOS button or broadcaster, for programs: `buttons` in the answer to `status`. Times are milliseconds since
/// 1970, nil where they are unknown.
package struct SOSButtonRow: Codable, Hashable, Sendable {
    package let device: String
    package let person: String
    /// A press of it calls for help.
    package let callsHelp: Bool
    package let lastHeard: Int64?
    package let lastPressed: Int64?
    /// Percent.
    package let battery: Int?
    /// Time from which a press is asked for; nil where no test is planned.
    package let testDue: Int64?
    /// No press came in time after the request.
    package let isTestMissed: Bool

    package init(
        device: String, person: String, callsHelp: Bool, lastHeard: Int64?, lastPressed: Int64?,
        battery: Int?,
        testDue: Int64?, isTestMissed: Bool
    ) {
        (self.device, self.person, self.callsHelp) = (device, person, callsHelp)
        (self.lastHeard, self.lastPressed, self.battery) = (lastHeard, lastPressed, battery)
        (self.testDue, self.isTestMissed) = (testDue, isTestMissed)
    }
}
