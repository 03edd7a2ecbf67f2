/// Findings of `homegateway check`, for programs and for the doctor's page.
package struct CheckReport: FieldDocument, Hashable {
    package static var field: ControlFields.Name { "check" }

    package enum Severity: String, Codable, Sendable {
        case ok
        /// Works, and deserves a change.
        case advice
        /// The gateway sets a part aside, or a part that it needs cannot be reached.
        case problem
    }

    /// Mistake of the settings, or result of one test.
    package struct Finding: Codable, Hashable, Sendable {
        package let severity: Severity
        /// Part that was checked: `settings`, `broker session`, `channel family`.
        package let part: String
        /// Settings file and line; nil for a test.
        package let file: String?
        package let line: Int?
        /// Section and key of the settings: `broker.port`.
        package let key: String?
        package let seen: String
        /// Nil where the observation itself says it.
        package let expected: String?
        package let remedy: String?

        package init(
            _ severity: Severity, part: String, file: String? = nil, line: Int? = nil, key: String? = nil,
            seen: String, expected: String? = nil, remedy: String? = nil
        ) {
            (self.severity, self.part, self.file, self.line) = (severity, part, file, line)
            (self.key, self.seen, self.expected, self.remedy) = (key, seen, expected, remedy)
        }
    }

    /// Milliseconds since 1970; nil before the first check since the start of the gateway.
    package var started: Int64?
    /// Nil while it runs.
    package var finished: Int64?
    /// Test that runs now.
    package var current: String?
    package var done: Int
    package var total: Int
    package var findings: [Finding]

    package init(
        started: Int64? = nil, finished: Int64? = nil, current: String? = nil, done: Int = 0, total: Int = 0,
        findings: [Finding] = []
    ) {
        (self.started, self.finished, self.current) = (started, finished, current)
        (self.done, self.total, self.findings) = (done, total, findings)
    }

    package var isRunning: Bool { started != nil && finished == nil }
    package var problems: Int { findings.count { $0.severity == .problem } }
}

/// Event of the day, for an installer. It holds no reading, and names no person.
package struct EventRow: DocumentRow, Hashable {
    package static var field: ControlFields.Name { "events" }

    /// Milliseconds since 1970.
    package let time: Int64
    /// `condition-raised`, `condition-cleared`, `drill-call` or `drill-call-cancelled`.
    package let event: String
    /// Code of a condition, or channel of a call.
    package let code: String
    /// Wearable, channel or file of a condition.
    package let subject: String?
    /// Title of a condition in English.
    package let title: String?

    package init(time: Int64, event: String, code: String, subject: String? = nil, title: String? = nil) {
        (self.time, self.event, self.code, self.subject, self.title) = (time, event, code, subject, title)
    }
}
