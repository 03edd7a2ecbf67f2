import Contract
import GatewayModel
import WebPages

/// Groups and their answers as JSON.
enum GroupJSON {
    static func text(_ group: PartyGroup) -> String { "{\(members(group))}" }

    /// Members of the object of a group, without its braces.
    static func members(_ group: PartyGroup) -> String {
        let question = group.question
        let lists =
            list("age_bands", question.ages?.map(\.description)) + list("areas", question.areas?.map(\.text))
            + list("genders", question.genders?.map(\.rawValue))
        return #""asked":"\#(group.asked.rfc3339)""#
            + (group.ended.map { #","ended":"\#($0.rfc3339)""# } ?? "")
            + #","id":\#(group.id),"kind":"\#(question.kind.rawValue)""# + lists
    }

    static func text(_ offer: GroupOffer) -> String {
        #"{"days":\#(offer.days),"kinds":\#(array(GroupKind.allCases.map(\.rawValue))),"rule":"\#(offer.rule.rawValue)""#
            + list("age_bands", AgeBand.all.map(\.description)) + list("areas", offer.areas.map(\.text))
            + list("genders", Gender.allCases.map(\.rawValue)) + "}"
    }

    static func text(_ answer: GroupAnswer) -> String {
        let outcome =
            switch answer.outcome {
            case .refused(let refusal): #""reason":"\#(refusal.rawValue)","state":"refused""#
            case .figures(let figures): text(figures, unit: answer.kind.quantity.coding.unit)
            }
        return "{" + outcome + #","rule":"\#(answer.rule.rawValue)","week":"\#(answer.week)""#
            + list("age_bands", answer.ages.map(\.description)) + list("areas", answer.areas.map(\.text))
            + list("genders", answer.genders.map(\.rawValue)) + "}"
    }

    private static func text(_ figures: GroupAnswer.Figures, unit: String) -> String {
        let quantiles = figures.quantiles.sorted { $0.key < $1.key }.map { #""\#($0.key)":\#(text($0.value))"# }
        return #""count":\#(text(figures.count))"#
            + (figures.mean.map { #","mean":\#(text($0))"# } ?? "")
            + (quantiles.isEmpty ? "" : #","quantiles":{\#(quantiles.joined(separator: ","))}"#)
            + #","state":"answered","unit":\#(JSONText.quoted(unit))"#
    }

    private static func text(_ figure: GroupFigure) -> String {
        #"{"error":\#(tenths(figure.error)),"noise":\#(tenths(figure.noise)),"value":\#(tenths(figure.value))}"#
    }

    /// One digit behind the point, where it is not 0.
    private static func tenths(_ value: Double) -> String {
        let bounded = value.isFinite ? min(max(value, -1e9), 1e9) : 0
        let (whole, rest) = Int((bounded * 10).rounded()).magnitude.quotientAndRemainder(dividingBy: 10)
        return (bounded < 0 ? "-" : "") + "\(whole)" + (rest == 0 ? "" : ".\(rest)")
    }

    private static func array(_ texts: [String]) -> String {
        "[" + texts.map(JSONText.quoted).joined(separator: ",") + "]"
    }

    private static func list(_ name: String, _ texts: [String]?) -> String {
        texts.map { #","\#(name)":\#(array($0))"# } ?? ""
    }
}
