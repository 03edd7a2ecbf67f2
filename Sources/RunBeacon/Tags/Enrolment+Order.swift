import GatewayModel

extension Enrolment: Comparable {
    /// By the run, then by the number on the chest.
    public static func < (left: Enrolment, right: Enrolment) -> Bool {
        (left.run.text, left.bib) < (right.run.text, right.bib)
    }
}
