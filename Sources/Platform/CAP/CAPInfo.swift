public import GatewayModel
import HelpLine

/// The `info` of an alert (section 3.2.2) with its one `area` (section 3.2.4).
public struct CAPInfo: Hashable, Sendable {
    public enum Category: String, Hashable, Sendable {
        case infrastructure = "Infra"
        case health = "Health"
        case rescue = "Rescue"
    }
    public enum Response: String, Hashable, Sendable {
        case prepare = "Prepare"
        case execute = "Execute"
        case assess = "Assess"
        case monitor = "Monitor"
        case allClear = "AllClear"
    }
    public enum Urgency: String, Hashable, Sendable {
        case immediate = "Immediate"
        case future = "Future"
        case past = "Past"
    }
    public enum Severity: String, Hashable, Sendable {
        case extreme = "Extreme"
        case moderate = "Moderate"
        case minor = "Minor"
        case unknown = "Unknown"
    }
    public enum Certainty: String, Hashable, Sendable {
        case observed = "Observed"
        case likely = "Likely"
        case possible = "Possible"
        case unlikely = "Unlikely"
    }

    public struct Parameter: Hashable, Sendable {
        public let name: String
        public let value: String

        public init(name: String, value: String) { (self.name, self.value) = (name, value) }
    }

    public struct Area: Hashable, Sendable {
        public let description: String
        /// `latitude,longitude radius`, the radius in kilometres.
        public let circle: String?

        /// 50 m, where the receiver names no error and for a surveyed house: the error of a receiver in a town.
        private static let unknownError = 50.0

        /// - Parameter errorMetres: radius of the error; nil if it is unknown.
        public init(_ description: String, at place: Coordinates?, errorMetres: Double?) {
            self.description = description
            circle = place.map { place in
                let metres = errorMetres.flatMap { $0.isFinite ? max($0, 1) : nil } ?? Self.unknownError
                return "\(place.latitude.degrees),\(place.longitude.degrees) \((metres / 1_000).plain ?? "0")"
            }
        }
    }

    public let language: String
    public let category: Category
    public let event: String
    public let response: Response
    public let urgency: Urgency
    public let severity: Severity
    public let certainty: Certainty
    public let onset: String
    public let senderName: String
    public let headline: String
    public let description: String
    public let instruction: String?
    public let contact: String?
    public let parameters: [Parameter]
    public let area: Area?

    public init(
        language: String, category: Category, event: String, response: Response, urgency: Urgency,
        severity: Severity, certainty: Certainty, onset: String, senderName: String, headline: String,
        description: String, instruction: String? = nil, contact: String? = nil, parameters: [Parameter] = [],
        area: Area? = nil
    ) {
        (self.language, self.category, self.event, self.response) = (language, category, event, response)
        (self.urgency, self.severity, self.certainty, self.onset) = (urgency, severity, certainty, onset)
        (self.senderName, self.headline, self.description) = (senderName, headline, description)
        (self.instruction, self.contact, self.parameters, self.area) = (instruction, contact, parameters, area)
    }

    func write(to writer: inout XMLWriter) {
        writer.element("info") { info in
            info.element("language", language)
            info.element("category", category.rawValue)
            info.element("event", event)
            info.element("responseType", response.rawValue)
            info.element("urgency", urgency.rawValue)
            info.element("severity", severity.rawValue)
            info.element("certainty", certainty.rawValue)
            info.element("onset", onset)
            info.element("senderName", senderName)
            info.element("headline", headline)
            info.element("description", description)
            info.element("instruction", instruction)
            info.element("contact", contact)
            for parameter in parameters {
                info.element("parameter") { pair in
                    pair.element("valueName", parameter.name)
                    pair.element("value", parameter.value)
                }
            }
            guard let area else { return }
            info.element("area") { element in
                element.element("areaDesc", area.description)
                element.element("circle", area.circle)
            }
        }
    }
}

extension Double {
    /// Six decimals: 0.1 m. Never in the form `1e-05`, which is no coordinate of CAP.
    fileprivate var degrees: String {
        let millionths = Int64((self * 1_000_000).rounded())
        let fraction = String(millionths.magnitude % 1_000_000)
        return (millionths < 0 ? "-" : "") + "\(millionths.magnitude / 1_000_000)."
            + String(repeating: "0", count: 6 - fraction.count) + fraction
    }
}
